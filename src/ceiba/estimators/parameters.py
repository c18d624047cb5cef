"""The parameters of an estimator, as the user wrote them.

The constructor and the docstring are made from the declaration in ``parameters/``, so a new
parameter is in both as soon as it is declared.

The life of the parameters of an estimator:

1. the constructor that :func:`make_init` made stores them under the names that the user wrote;
2. scikit-learn reads and changes them with ``get_params`` and ``set_params``;
3. ``fit`` resolves them all; what is asked of a fitted estimator looks at a single one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Self

from sklearn.base import BaseEstimator

from ceiba.errors import InvalidParameterError
from ceiba.parameters import ALIASES, BY_NAME, DECLARED, ByGrowth
from ceiba.parameters.constraints import check_value
from ceiba.parameters.resolving import Parameters, canonical_names, check_name, resolve

__all__ = ["ParameterHolder", "describe", "document", "make_init"]


def make_init(kind: str) -> Callable[..., None]:
    """Make the constructor of an estimator, with every declared parameter in its signature."""
    names = [parameter.name for parameter in DECLARED if kind in parameter.estimators]
    defaults: dict[str, Any] = {name: "auto" if name == "recipe" else None for name in names}

    def __init__(self: Any, **parameters: Any) -> None:  # noqa: N807
        for name in parameters:
            if check_name(name) not in defaults:
                raise InvalidParameterError(f"{type(self).__name__} has no parameter {name}.")
        for name, value in {**defaults, **parameters}.items():
            setattr(self, name, value)

    shown = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    shown += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
    ]
    __init__.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return __init__


class ParameterHolder(BaseEstimator):  # type: ignore[misc]
    """What scikit-learn asks of an estimator's parameters, with aliases beside their names."""

    # Aliases are kept apart from the attributes that scikit-learn knows of, in _aliases; as
    # attributes they are read and written like the others. The dictionary is never changed but
    # replaced, since a copy of the estimator (copy.copy) has the same one.

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ALIASES:
            self.__dict__["_aliases"] = {**vars(self).get("_aliases", {}), name: value}
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        """Return an alias; any other name is looked up again, for the error it has of its own."""
        aliases = vars(self).get("_aliases", {})
        return aliases[name] if name in aliases else object.__getattribute__(self, name)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were written, aliases included."""
        params: dict[str, Any] = super().get_params(deep)
        params.update(vars(self).get("_aliases", {}))
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, by name or alias; another name of the same parameter is forgotten."""
        allowed = self._get_param_names()
        for name in params:
            if name not in allowed and check_name(name) not in allowed:
                raise InvalidParameterError(f"{type(self).__name__} has no parameter {name}.")
        canonical_names(_declared(params))  # refuses two names of one parameter
        # None counts too: it takes back what an alias said.
        named = {check_name(name) for name in _declared(params)}
        for canonical in named:
            setattr(self, canonical, None)
        if "_aliases" in vars(self):
            self.__dict__["_aliases"] = {
                name: value for name, value in self._aliases.items() if ALIASES[name] not in named
            }
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def _resolve(self) -> Parameters:
        return resolve(self._given())

    def _given(self) -> dict[str, Any]:
        """Return what was written: parameters that a derived class adds are its own matter, and
        those that its constructor does not show count too.
        """
        return {**_declared(vars(self)), **vars(self).get("_aliases", {})}

    def _only(self, name: str) -> Any:
        """Return one parameter as it is now, checked; None where the user wrote none.

        The others are not looked at: a random generator must not be drawn from to predict.
        """
        parameter, own = BY_NAME[name], vars(self)
        written = {**own.get("_aliases", {}), name: own.get(name)} if "_aliases" in own else own
        for spelt in (name, *parameter.aliases):
            if written.get(spelt) is not None:
                return check_value(spelt, parameter.constraint, written[spelt], parameter.advice)
        return None

    def _n_jobs(self) -> int | None:
        n_jobs: int | None = self._only("n_jobs")
        return n_jobs


def _declared(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name in BY_NAME or name in ALIASES}


def describe(estimator: str | None = None, indent: str = "") -> str:
    """Describe the parameters (of one kind of estimator) in a numpy-style docstring."""
    lines = []
    for parameter in DECLARED:
        if estimator is not None and estimator not in parameter.estimators:
            continue
        default = parameter.default
        if isinstance(default, ByGrowth):
            default = f"{default.leafwise} (leafwise) or {default.other}"
        others = ", ".join(f"{name}: {value}" for name, value in parameter.recipes.items())
        notes = f" ({others})" if others else ""
        values = f"{parameter.constraint.text}, default={default}{notes}"
        lines.append(f"{indent}{parameter.name} : {values}")
        lines.append(f"{indent}    {parameter.text}")
        if parameter.aliases:
            lines.append(f"{indent}    Also called {', '.join(parameter.aliases)}.")
    return "\n".join(lines)


_DOC = """

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
    n_iter_ : int
        Number of rounds of the model.
    evals_result_ : dict
        Name of eval set → name of metric → one value for each round.{more}
"""


def document(kind: str, estimator: type, more: str = "") -> None:
    """Write the docstring from the declaration of the parameters."""
    head = "\n\n    ``None`` means the value of the recipe.\n\n    Parameters\n    ----------\n"
    estimator.__doc__ = f"{estimator.__doc__}{head}" + _DOC.lstrip("\n").format(
        parameters=describe(kind, indent="    "), more=more
    )
