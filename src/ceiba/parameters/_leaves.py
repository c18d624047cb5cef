"""Parameters of linear leaves."""

from __future__ import annotations

from ceiba.parameters._base import Parameter
from ceiba.parameters.column_values import ColumnList
from ceiba.parameters.combined_constraints import Either
from ceiba.parameters.constraints import Integer, OneOf, Real
from ceiba.parameters.effects import AnyOf

LEAVES: tuple[Parameter, ...] = (
    Parameter(
        "leaf_model", OneOf(("constant", "linear")), "constant",
        "Content of leaves: 'constant' is one number; 'linear' adds slopes for a few numeric "
        "columns, which needs fewer trees when the target changes linearly with a feature. "
        "Missing values of these columns add 0. Linear leaves do not use categories and do not "
        "support monotone constraints.",
        "leaf",
        recipes={"plgb": "linear"},
    ),
    Parameter(
        "linear_fit", OneOf(("after", "gain")), "after",
        "How linear leaves are found. 'after': trees grow as with constant leaves, then each leaf "
        "is fitted, as LightGBM's linear_tree does; fast. 'gain': each split is chosen by the "
        "gain of linear fits in its children (piecewise-linear boosting); slower, often more "
        "accurate.",
        "leaf",
        recipes={"plgb": "gain"},
        applies_to={"leaf_model": "linear"},
    ),
    Parameter(
        "linear_regression", OneOf(("additive", "half_additive", "full")), "half_additive",
        "What linear_fit='gain' refits in the children of a candidate split. 'additive': a "
        "constant and the slope of the split column. 'half_additive': also a factor of the "
        "parent's linear function. 'full': all slopes, with at most 8 columns; slow.",
        "leaf",
        applies_to={"leaf_model": "linear", "linear_fit": "gain"},
    ),
    Parameter(
        "linear_features", Either((OneOf(("tree",)), ColumnList())), None,
        "Columns of linear leaves: None uses the split columns on the path to the leaf, 'tree' "
        "the split columns of the whole tree. A list of names or positions uses exactly these "
        "columns.",
        "leaf",
        applies_to={"leaf_model": "linear"},
    ),
    Parameter(
        "max_linear_features", Integer(1), 5,
        "Maximum number of columns of a linear leaf: the first ones on the path from the root, or "
        "those with the largest gain in the tree (linear_features='tree').",
        "leaf",
        applies_to={"leaf_model": "linear", "linear_features": AnyOf(None, "tree")},
    ),
    Parameter(
        "linear_lambda", Either((Real(0.0), OneOf(("auto",)))), 0.1,
        "L2 penalty on the slopes of linear leaves, for columns scaled to unit standard deviation "
        "within the leaf; for squared error, 1 acts like one additional row. 'auto' applies a "
        "penalty of 1 and then shrinks the slopes of each leaf by their estimated noise "
        "(James-Stein): slopes with an F statistic below 2 become 0. reg_lambda penalizes the "
        "constant.",
        "leaf", recipes={"lightgbm": 0.0, "plgb": "auto"},
        applies_to={"leaf_model": "linear"},
    ),
    Parameter(
        "extrapolate", OneOf(("clip", "linear")), "clip",
        "Value of a linear leaf outside the range of its training rows: 'clip' uses the nearest "
        "value inside the range, 'linear' continues the line. 'clip' is safer; use 'linear' for "
        "trends.",
        "leaf",
        applies_to={"leaf_model": "linear"},
    ),
)  # fmt: skip
