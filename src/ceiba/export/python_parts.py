"""Functions of exported Python files, as text. ``python_code.py`` selects those of a model."""

from __future__ import annotations

__all__ = [
    "CLASSES",
    "DOCSTRING",
    "IMPORTS",
    "LINKS",
    "MATH",
    "ONE",
    "ROWS",
    "SEVERAL",
    "TREES",
]

DOCSTRING = '''\
"""Exported by ceiba @VERSION@: @TITLE@.

``predict(row)`` predicts one row: a list of values in the order of the columns, or a dictionary
by column name. None and NaN are missing values. Dates are days since 1970-01-01. ``raw(row)``
returns raw scores. Needs nothing but Python.
"""
'''

IMPORTS = """\
from math import ldexp

_INF = float("inf")
_NAN = float("nan")
"""

ROWS = '''

def _code(j, value):
    """Return a number, or the number of a category; NaN if missing, -1 if unseen."""
    name, levels = _COLUMNS[j]
    if value is None or value != value:
        return _NAN
    if levels is None:
        value = float(value)
        return _NAN if value == _MISSING else value
    code = levels.get(value, -1)
    if code < 0 and value == _MISSING:
        return _NAN
    if code < 0 and _REFUSES_UNSEEN:
        raise ValueError(f"Column {name!r} must hold a category of the training. Got {value!r}.")
    return float(code)


def _columns_of_trees(row):
    """Return the columns that trees read."""
    if isinstance(row, dict):
        row = [row[name] for name, _ in _COLUMNS]
    if len(row) != len(_COLUMNS):
        raise ValueError(f"A row must have {len(_COLUMNS)} values. Got {len(row)}.")
    codes = [_code(j, value) for j, value in enumerate(row)]
    x = [_NAN if _COLUMNS[j][1] is not None and codes[j] < 0 else codes[j] for j in _KEPT]
    for sources, factors, values, other in _LOOKUPS:
        key = 0
        for j, factor in zip(sources, factors):
            code = codes[j]
            if code < 0:
                key = None
                break
            key += factor * (len(_COLUMNS[j][1]) if code != code else int(code))
        x.extend(values.get(key, other))
    return x
'''

TREES = '''

def _leaf(node, x):
    """Return the leaf that a row reaches from a root."""
    while _LEFT[node] >= 0:
        value = x[_COLUMN[node]]
        if value != value:
            left = _MISSING_LEFT[node]
        elif _SETS and _SET_OF_NODE[node] >= 0:
            left = value in _SETS[_SET_OF_NODE[node]]
        else:
            left = value <= _THRESHOLD[node]
        node = _LEFT[node] if left else _LEFT[node] + 1
    return node


def _added(leaf, k, x):
    """Return what a leaf adds to output k: its value, and slope * (x - mean) for its terms."""
    total = _VALUE[leaf * _WIDTH + k]
    if _TERMS is not None:
        for column, low, high, mean, slopes in _TERMS[_FIRST_TERM[leaf]:_FIRST_TERM[leaf + 1]]:
            value = x[column]
            away = (low if value < low else high if value > high else value) - mean
            total += slopes[k] * (away if away - away == 0.0 else 0.0)
    return total


def raw(row):
    """Return the raw scores of a row."""
    x = _columns_of_trees(row)
    scores = list(_START)
    for tree, root in enumerate(_ROOTS):
        leaf = _leaf(root, x)
        if _WIDTH > 1:
            for k in range(_WIDTH):
                scores[k] += _added(leaf, k, x)
        else:
            scores[tree % len(scores)] += _added(leaf, 0, x)
    if _SHIFT is not None:
        scores = [score + shift for score, shift in zip(scores, _SHIFT)]
    return scores
'''

MATH = '''

_INVERSE_LN2, _LN2_HIGH, _LN2_LOW, _P0, _P1, _P2, _P3, _P4, _P5, _P6, _P7, _P8, _P9 = map(
    float.fromhex,
    (
        "0x1.71547652b82fep+0", "0x1.62e42fefa38p-1", "0x1.ef35793c7673p-45",
        "0x1.0000000000001p-1", "0x1.5555555555556p-3", "0x1.5555555553d2bp-5",
        "0x1.11111111109a2p-7", "0x1.6c16c178a18c1p-10", "0x1.a01a01a7d176dp-13",
        "0x1.a019b8b8f8697p-16", "0x1.71de0d7a972efp-19", "0x1.2891e963ab1f9p-22",
        "0x1.af3924be99a57p-26",
    ),
)
_SHIFT_TO_INTEGER = 1.5 * 2.0**52


def _exp(x):
    """Return exp(x), the same bits as in ceiba."""
    x = -750.0 if x < -750.0 else 710.0 if x > 710.0 else x
    k = (x * _INVERSE_LN2 + _SHIFT_TO_INTEGER) - _SHIFT_TO_INTEGER
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    r2 = r * r
    r4 = r2 * r2
    p = (_P0 + r * _P1) + r2 * (_P2 + r * _P3)
    p += r4 * (((_P4 + r * _P5) + r2 * (_P6 + r * _P7)) + r4 * (_P8 + r * _P9))
    return ldexp(1.0 + (r + r2 * p), int(k))
'''

_SIGMOID = """
def _sigmoid(x):
    e = _exp(x if x < 0.0 else -x)
    large = 1.0 / (1.0 + e)
    return large if x >= 0.0 else e * large

"""

#: The function from raw scores to predictions, for each link.
LINKS: dict[str, str] = {
    "identity": """

def _link(raw):
    return [max(score, @LOWEST@) for score in raw]
""",
    "log": """
def _link(raw):
    return [_exp(min(max(score, -300.0), 300.0)) for score in raw]
""",
    "log1p": """
def _link(raw):
    return [max(_exp(min(max(score, -300.0), 300.0)) - 1.0, @LOWEST@) for score in raw]
""",
    "logit": _SIGMOID
    + """
def _link(raw):
    return [_sigmoid(@SCALE@ * score) for score in raw]
""",
    "softmax": """
def _link(raw):
    largest = max(raw)
    winner = raw.index(largest)
    shares = [_exp(score - largest) for score in raw]
    rest = 0.0
    for k, share in enumerate(shares):
        rest += 0.0 if k == winner else share
    inverse = 1.0 / (1.0 + rest)
    return [share * inverse for share in shares]
""",
    "one_against_rest": _SIGMOID
    + """
def _link(raw):
    shares = [_sigmoid(score) for score in raw]
    total = 0.0
    for share in shares:
        total += share
    return [share / total if total > 0.0 else 1.0 / len(raw) for share in shares]
""",
    "shares": """

def _link(raw):
    shares = [min(max(score, 0.0), 1.0) + 0.0 for score in raw]
    total = 0.0
    for share in shares:
        total += share
    if len(raw) == 1 or (total != 0.0 and abs(total - 1.0) <= 1e-12):
        return shares
    return [share / total if total > 0.0 else 1.0 / len(raw) for share in shares]
""",
    "sorted": """

def _link(raw):
    return sorted(raw)
""",
}

ONE = '''

def predict(row):
    """Return the prediction of a row; of two classes, the probability of the second."""
    return _link(raw(row))[0]


def predict_many(rows):
    """Return the predictions of rows."""
    return [predict(row) for row in rows]
'''

SEVERAL = '''

def predict(row):
    """Return the predictions of a row: one for each output or class."""
    return _link(raw(row))


def predict_many(rows):
    """Return the predictions of rows."""
    return [predict(row) for row in rows]
'''

CLASSES = '''

def predict_class(row):
    """Return the label of the most probable class."""
    scores = raw(row)
    if len(scores) == 1:
        best = int(scores[0] - _EVEN_SCORE > 0)
    elif len(scores) == 2:
        best = int(scores[1] - scores[0] > 0)
    else:
        best = scores.index(max(scores))
    return best if _CLASSES is None else _CLASSES[best]
'''
