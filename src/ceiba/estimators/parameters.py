"""Parameters of an estimator, as the user wrote them.

The life of the parameters of an estimator:

1. The constructor (``signatures.py``) stores them under the names that the user wrote.
2. scikit-learn reads and changes them with ``get_params`` and ``set_params``.
3. ``fit`` resolves all of them. Methods of a fitted estimator resolve single ones.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator

from ceiba.data.frames import make_frame
from ceiba.errors import InvalidParameterError
from ceiba.estimators.pickling import unwrapped, wrapped
from ceiba.model.file import as_stored
from ceiba.parameters import ALIASES, BY_NAME, FOREIGN
from ceiba.parameters.constraints import check_value
from ceiba.parameters.foreign import same
from ceiba.parameters.recipes import RECIPES
from ceiba.parameters.resolving import Parameters, Written, canonical_names, check_name, resolve

__all__ = ["ParameterHolder"]

_TALK = ("verbose", "silent", "logging_level")
_OF_OTHERS = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


class ParameterHolder(BaseEstimator):  # type: ignore[misc]
    """scikit-learn's parameter methods, with support for aliases and names of other libraries."""

    #: Kind of estimator in parameter declarations and messages.
    _kind: ClassVar[str]

    # Aliases and names of other libraries are kept in _aliases, apart from the attributes that
    # scikit-learn knows. They are read and written like attributes. The dictionary is replaced, not
    # modified, because a shallow copy of the estimator shares it.

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ALIASES or name in vars(self).get("_aliases", {}):
            self._keep(name, value)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        """Return an alias. Other names are looked up again to raise the standard error."""
        aliases = vars(self).get("_aliases", {})
        return aliases[name] if name in aliases else object.__getattribute__(self, name)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        functions_wrapped = wrapped(_declared(state))
        if "_aliases" in state:
            functions_wrapped["_aliases"] = wrapped(state["_aliases"])
        return {**state, **functions_wrapped}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        plain = unwrapped(state)
        if "_aliases" in plain:
            plain["_aliases"] = unwrapped(plain["_aliases"])
        super().__setstate__(plain)

    def _keep(self, name: str, value: Any) -> None:
        self.__dict__["_aliases"] = {**vars(self).get("_aliases", {}), name: value}

    def _store(self, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        """Store the constructor arguments after their names were checked."""
        self._check_names(given, defaults)
        for name, value in {**defaults, **given}.items():
            if name in BY_NAME and name not in defaults:  # None, for another kind of estimator
                self._keep(name, value)
            else:
                self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        if name in FOREIGN and name not in self._get_param_names():
            self._keep(name, value)
        else:
            setattr(self, name, value)

    def _check_names(self, given: Mapping[str, Any], own: Iterable[str]) -> None:
        """Refuse unknown names, and values for parameters of other kinds of estimators."""
        for name, value in given.items():
            canonical = check_name(name)
            if value is None:
                continue
            if canonical in FOREIGN:
                if FOREIGN[canonical].kind == "refused":
                    FOREIGN[canonical].means(name, value, {})
            elif canonical not in own:
                raise InvalidParameterError(f"{type(self).__name__} has no parameter {name}.")

    @classmethod
    def _constructors(cls) -> Iterable[list[inspect.Parameter]]:
        """Yield the parameters of the constructor and of the base constructors it forwards to."""
        for kind in cls.__mro__:
            if "__init__" in vars(kind) and kind is not object:
                parameters = list(inspect.signature(vars(kind)["__init__"]).parameters.values())
                yield parameters[1:]
                if not any(parameter.kind in _OF_OTHERS for parameter in parameters):
                    return

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """Return the constructor's parameter names; with ``**kwargs``, also the forwarded ones."""
        found = (parameter for shown in cls._constructors() for parameter in shown)
        return sorted({parameter.name for parameter in found if parameter.kind not in _OF_OTHERS})

    @classmethod
    def _takes_other_names(cls) -> bool:
        """Whether the constructor accepts names of other libraries."""
        *_, last = cls._constructors()
        return any(parameter.name == "recipe" for parameter in last)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as the user set them, including names of other libraries."""
        params: dict[str, Any] = super().get_params(deep)
        if self._takes_other_names():
            params.update(vars(self).get("_aliases", {}))
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by any name. Replaces a value set under another name of the same one."""
        own = self._get_param_names()
        self._check_names({name: params[name] for name in params if name not in own}, own)
        declared = _declared(params)
        canonical_names(declared)  # raises an error for two names of one parameter
        # None also replaces the value set under an alias.
        named = {check_name(name) for name in declared} | _meant(params)
        for canonical in named:
            setattr(self, canonical, None)
        if "_aliases" in vars(self):
            self.__dict__["_aliases"] = {
                name: value
                for name, value in self._aliases.items()
                if ALIASES.get(name) not in named and not _meant({name: value}) & named
            }
        for name, value in params.items():
            self._set(name, value)
        return self

    def _resolve(self, of_fit: Mapping[str, Any] = {}) -> Parameters:
        """Return every parameter, checked; ``of_fit`` are arguments of fit."""
        given = self._given()
        if "verbose" in canonical_names(of_fit):  # fit overrides the constructor
            given = {name: value for name, value in given.items() if name not in _TALK}
        written = canonical_names(given, of_fit)
        for name, (called, _) in written.items():
            if self._kind not in BY_NAME[name].estimators:
                raise InvalidParameterError(
                    f"{type(self).__name__} has no parameter {name} (given as {called!r}). "
                    "Leave it out."
                )
        return resolve(given, of_fit, self._own_defaults(written))

    def _own_defaults(self, written: Written) -> dict[str, Any]:
        """Return the defaults of this kind of estimator for parameters that were not set."""
        return {}

    def resolved(self, *, changed_only: bool = False) -> Any:
        """Return a table of every parameter, its value and where the value comes from.

        ``source`` is ``you`` for what was given, under whichever name; ``recipe`` for the defaults
        of the recipe; ``data`` for what is found from rows, labels or the objective. Before ``fit``
        such a value is None or ``'auto'``.

        Parameters
        ----------
        changed_only : bool, default=False
            Leave out parameters that have the value of their recipe.

        Returns
        -------
        table
            Columns ``parameter``, ``value`` and ``source``: a DataFrame of pandas, or of polars
            where there is no pandas, or a dictionary of lists.
        """
        written = canonical_names(self._given())
        # Work on a copy: resolving must not advance a random generator.
        asked = deepcopy(self)._resolve()
        model = vars(self).get("model_")
        recorded = {} if model is None else as_stored(model.parameters)
        rows = []
        for name, value in asked.items():
            if self._kind not in BY_NAME[name].estimators:
                continue
            trained = recorded.get(name, value)
            if name == "recipe" and value == "auto":
                rows.append((name, value, "recipe"))
            elif name in written:
                rows.append((name, value, "you"))
            elif trained != value or (BY_NAME[name].from_data and value in (None, "auto")):
                rows.append((name, trained, "data"))
            else:
                rows.append((name, value, "recipe"))
        if changed_only:
            own = RECIPES[asked.recipe]
            rows = [row for row in rows if row[0] == "recipe" or not same(row[1], own[row[0]])]
            rows = [row for row in rows if row[:2] != ("recipe", "auto")]
        columns = ([row[part] for row in rows] for part in range(3))
        return make_frame(dict(zip(("parameter", "value", "source"), columns, strict=True)))

    def _given(self) -> dict[str, Any]:
        """Return the parameters that were set, without those that a derived class adds.

        Includes parameters that its constructor does not show.
        """
        return {**_declared(vars(self)), **vars(self).get("_aliases", {})}

    def _parameter(self, name: str) -> Any:
        """Return one parameter, checked, or None if it was not set.

        Does not check other parameters: predicting must not advance a random generator.
        """
        value, others = vars(self).get(name), vars(self).get("_aliases")
        if others:
            written = canonical_names(self._given())
            name_of_user, value = written.get(name, (name, None))
        else:
            name_of_user = name
        if value is None:
            return None
        return check_value(name_of_user, BY_NAME[name].constraint, value, BY_NAME[name].advice)

    def _n_jobs(self) -> int | None:
        n_jobs: int | None = self._parameter("n_jobs")
        return n_jobs


def _meant(params: Mapping[str, Any]) -> set[str]:
    """Return the parameters that foreign names map to independently of other parameters."""
    rows = [(FOREIGN[name], value) for name, value in params.items() if name in FOREIGN]
    return {
        canonical
        for row, value in rows
        if value is not None and not row.replaces
        for canonical in row.read(value, {}) or {}
    }


def _declared(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name in BY_NAME or name in ALIASES}
