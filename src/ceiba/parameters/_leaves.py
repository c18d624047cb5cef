"""What leaves hold: constants, or lines of columns."""

from __future__ import annotations

from ceiba.parameters._base import Parameter
from ceiba.parameters.column_values import ColumnList
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf

LEAVES: tuple[Parameter, ...] = (
    Parameter(
        "leaf_model", OneOf(("constant", "linear")), "constant",
        "What a leaf adds to the score: one number, or a line: a number and a slope for each of a "
        "few columns of numbers (linear). A missing value of such a column adds nothing. "
        "Categories are never among them, and monotone constraints have no lines.",
        "leaf",
        recipes={"plgb": "linear"},
    ),
    Parameter(
        "linear_fit", OneOf(("after", "gain")), "after",
        "How lines are found: trees grow as with constants, then the leaves get their lines "
        "(after), as with LightGBM's linear_tree; or splits are chosen by what lines gain in their "
        "children (gain), as in piecewise-linear boosting. The leaves are fitted alike.",
        "leaf",
        recipes={"plgb": "gain"},
        applies_to={"leaf_model": "linear"},
    ),
    Parameter(
        "linear_regression", OneOf(("additive", "half_additive", "full")), "half_additive",
        "What linear_fit='gain' fits anew in the children of a split: a constant and the slope of "
        "the column that is split (additive), a factor of the node's line as well (half_additive), "
        "or all slopes (full: slow, with at most 8 columns).",
        "leaf",
        applies_to={"leaf_model": "linear", "linear_fit": "gain"},
    ),
    Parameter(
        "linear_features", Either((OneOf(("tree",)), ColumnList())), None,
        "Columns of lines: those by which the nodes above a leaf are split (None), those by which "
        "its tree is, or given ones, by name or by position, all of which are then used.",
        "leaf",
        applies_to={"leaf_model": "linear"},
    ),
    Parameter(
        "max_linear_features", Integer(1), 5,
        "Most columns of a line, where they are not given: the first on the path from the root, or "
        "those with the largest gains in the tree.",
        "leaf",
        applies_to={"leaf_model": "linear", "linear_features": AnyOf(None, "tree")},
    ),
    Parameter(
        "linear_lambda", Either((Real(0.0), OneOf(("auto",)))), 0.1,
        "L2 penalty on the slopes of lines, each in units of the deviation of its column over the "
        "rows of the leaf: it counts like so many rows (of squared error). 'auto' is a penalty of "
        "1 and shrinks the slopes of a leaf by its noise (James-Stein): slopes with an F statistic "
        "below 2 are dropped, large ones are kept. reg_lambda is for the constant.",
        "leaf", recipes={"lightgbm": 0.0, "plgb": "auto"},
        applies_to={"leaf_model": "linear"},
    ),
    Parameter(
        "extrapolate", OneOf(("clip", "linear")), "clip",
        "What a line does with a value beyond those that the rows of its leaf had: it takes the "
        "nearest of those (clip), or goes on (linear).",
        "leaf",
        applies_to={"leaf_model": "linear"},
    ),
)  # fmt: skip
