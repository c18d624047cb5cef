"""Build the docstrings of the estimators from the declarations in ``parameters/``."""

from __future__ import annotations

from ceiba.parameters import DECLARED, default_text
from ceiba.parameters.effects import described

__all__ = ["describe", "document"]


def describe(estimator: str | None = None, indent: str = "") -> str:
    """Describe the parameters (of one kind of estimator) in a numpy-style docstring."""
    lines = []
    for parameter in DECLARED:
        if estimator is not None and estimator not in parameter.estimators:
            continue
        recipes = [f"{name}: {default_text(own)}" for name, own in parameter.recipes.items()]
        notes = f" ({'; '.join(recipes)})" if recipes else ""
        values = f"{parameter.constraint.text}, default={default_text(parameter.default)}{notes}"
        lines.append(f"{indent}{parameter.name} : {values}")
        lines.append(f"{indent}    {parameter.text}")
        if parameter.applies_to:
            lines.append(f"{indent}    Only with {described(parameter.applies_to)}.")
        if parameter.aliases:
            lines.append(f"{indent}    Also called {', '.join(parameter.aliases)}.")
    return "\n".join(lines)


_DOC = """

    A parameter that is ``None`` takes the value of the recipe. Parameter names of XGBoost,
    LightGBM, CatBoost and scikit-learn are accepted; ``get_params`` returns them as you wrote them.

    Parameters
    ----------
{parameters}

    Attributes
    ----------
    model_ : Model
        The trained model.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Names of the columns, where the table had names.
    feature_importances_ : array of shape (n_features,)
        Importance of each column, adding up to 1.
    best_iteration_ : int
        Number, from 0, of the last round of the model: the best one with early stopping.
    best_score_ : dict
        Name of eval set → name of metric → its value at the best iteration.
    n_iter_ : int
        Number of rounds of the model.
    evals_result_ : dict
        Name of eval set → name of metric → one value for each round.{more}

    Examples
    --------
{example}
"""


def document(kind: str, estimator: type, example: str, more: str = "") -> None:
    """Set the docstring of an estimator from the declared parameters."""
    lines = [f"    {line}".rstrip() for line in example.strip().splitlines()]
    estimator.__doc__ = f"{estimator.__doc__}" + _DOC.format(
        parameters=describe(kind, indent="    "), more=more, example="\n".join(lines)
    )
