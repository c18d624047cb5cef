"""The interface of callbacks, and the ``Round`` that they receive.

The life of a callback:

1. ``before_training(n_rounds)`` is called once; a callback resets itself here.
2. If the training resumes from a checkpoint, ``restore(state)`` receives what ``state()`` returned
   when the checkpoint was written.
3. ``after_round(round)`` is called after every round with a :class:`Round`; returning True stops
   the training after this round.
4. ``after_training()`` is called once at the end, also if the training failed.

A plain function is a callback too: it is called as ``after_round``.

>>> def stop_when_good(round):
...     return round.evals["validation_0"]["rmse"] < 0.1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ceiba.errors import InvalidInputError, InvalidTypeError, UnknownAttributeError
from ceiba.messages import shown
from ceiba.parameters.constraints import is_iterable
from ceiba.parameters.user_functions import check_arguments, name_of, noting

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["Callback", "CallbackList", "Round", "check_callbacks"]


@dataclass(frozen=True, slots=True)
class Round:
    """State of the training after a round, as passed to callbacks.

    Examples
    --------
    >>> import ceiba
    >>> rows, seen = ceiba.Dataset([[1.0], [2.0]], [1.0, 2.0]), []
    >>> def look(round):
    ...     seen.append((round.iteration, round.evals["validation_0"]["rmse"]))
    >>> model = ceiba.train({"n_estimators": 2}, rows, eval_sets=[rows], callbacks=[look])
    >>> seen
    [(0, 0.5), (1, 0.5)]
    """

    #: Number of the round, from 0. Continued training starts at the rounds of the earlier model.
    iteration: int
    #: Total number of rounds, including those of an earlier model.
    n_rounds: int
    #: Name of eval set → name of metric → value.
    evals: Mapping[str, Mapping[str, float]]
    #: Name of metric → whether higher is better.
    higher_is_better: Mapping[str, bool]
    #: Returns a model with a copy of the trees so far, or up to an iteration.
    make_model: Callable[..., Model] = field(repr=False)
    #: Returns the training state that a checkpoint stores besides the model.
    state: Callable[[], dict[str, Any]] = field(repr=False, default=dict)
    #: Whether this is the last round; set only for callbacks with ``comes_last``.
    is_last: bool = False

    def __getattr__(self, name: str) -> Any:
        advice = _OF_CALLBACK_ENV.get(name)
        if advice is None:
            raise UnknownAttributeError(
                f"A Round has no attribute {name!r}. It has iteration, n_rounds, evals, "
                "higher_is_better, make_model and is_last."
            )
        raise UnknownAttributeError(
            f"A Round has no attribute {name!r}, which belongs to LightGBM's CallbackEnv. {advice}"
        )


#: Attributes of LightGBM's CallbackEnv → what to use instead.
_OF_CALLBACK_ENV: Mapping[str, str] = {
    "model": "Use round.make_model(), which returns a ceiba.Model.",
    "params": "Use round.make_model().parameters.",
    "begin_iteration": "Rounds are counted from 0: use round.iteration.",
    "end_iteration": "Use round.n_rounds.",
    "evaluation_result_list": "Use round.evals[name of eval set][metric].",
}


class Callback:
    """Base class of callbacks: override the methods that you need.

    Examples
    --------
    >>> import ceiba
    >>> class StopAfterThree(ceiba.Callback):
    ...     def after_round(self, round):
    ...         return round.iteration == 2
    >>> rows = ceiba.Dataset([[1.0], [2.0]], [1.0, 2.0])
    >>> ceiba.train({"n_estimators": 10}, rows, callbacks=[StopAfterThree()]).n_iterations
    3
    """

    #: Whether it is called after the other callbacks of a round.
    comes_last: bool = False

    def before_training(self, n_rounds: int) -> None:
        """Reset the state of an earlier training."""

    def after_round(self, round: Round) -> bool | None:
        """Handle a round; return True to stop after it."""

    def after_training(self) -> None:
        """Clean up."""

    def state(self) -> Any:
        """Return the state that a resumed training needs, as JSON values; None for none."""

    def restore(self, state: Any) -> None:
        """Restore what :meth:`state` returned."""

    def kept_iteration(self) -> int | None:
        """Return the last iteration that the model keeps; None to keep all."""


#: Methods of a callback, and their arguments.
_METHODS: Mapping[str, tuple[str, ...]] = {
    "before_training": ("n_rounds",),
    "after_round": ("round",),
    "after_training": (),
    "state": (),
    "restore": ("state",),
    "kept_iteration": (),
}
_A_ROUND = "round is a ceiba.Round, with iteration, n_rounds, evals and make_model."


class CallbackList(Callback):
    """Several callbacks as one; each sees every round."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        self.callbacks = tuple(sorted(callbacks, key=lambda callback: callback.comes_last))
        self.stopped = False
        self._stopped_by: Callback | None = None

    def before_training(self, n_rounds: int) -> None:
        self.stopped, self._stopped_by = False, None
        for callback in self.callbacks:
            with noting(_raised_by(callback)):
                callback.before_training(n_rounds)

    def after_round(self, round: Round) -> bool:
        # Call all of them, also after one stops the training.
        for callback in self.callbacks:
            if callback.comes_last and not round.is_last:
                is_last = self.stopped or round.iteration + 1 == round.n_rounds
                round = replace(round, is_last=is_last)
            with noting(_raised_by(callback)):
                answer = callback.after_round(round)
            if _stops(callback, answer) and not self.stopped:
                self.stopped, self._stopped_by = True, callback
        return self.stopped

    def after_training(self) -> None:
        # Call all of them, then raise the first error. Ctrl-C takes precedence over exceptions.
        failures: list[BaseException] = []
        for callback in self.callbacks:
            try:
                with noting(_raised_by(callback)):
                    callback.after_training()
            except BaseException as error:
                failures.append(error)
        if failures:
            first = min(failures, key=lambda error: isinstance(error, Exception))
            for other in failures:
                if other is not first:
                    first.add_note(f"Another callback failed at the end too: {other!r}")
            raise first

    def kept_iteration(self) -> int | None:
        """Return the value of the callback that stopped the training, else the first value."""
        ordered = sorted(self.callbacks, key=lambda callback: callback is not self._stopped_by)
        found = (callback.kept_iteration() for callback in ordered)
        return next((iteration for iteration in found if iteration is not None), None)

    def state(self) -> dict[str, Any]:
        stopped_by = None
        if self._stopped_by is not None:
            stopped_by = self.callbacks.index(self._stopped_by)
        return {"stopped_by": stopped_by, "callbacks": [entry[:2] for entry in self._states()]}

    def restore(self, state: Any) -> None:
        """Restore every callback. They must equal those of the checkpoint, in the same order."""
        written, here = state["callbacks"], list(self._states())
        if [name for name, _ in written] != [name for name, _, _ in here]:
            raise InvalidInputError(
                "Resumed training needs the callbacks of the checkpoint: "
                f"{_listed(name for name, _ in written)}. Got "
                f"{_listed(name for name, _, _ in here)}. Pass the same callbacks and "
                "early_stopping_rounds."
            )
        for (_, own), (_, _, callback) in zip(written, here, strict=True):
            callback.restore(own)
        if state["stopped_by"] is not None:
            self.stopped = True
            if state["stopped_by"] < len(self.callbacks):
                self._stopped_by = self.callbacks[state["stopped_by"]]

    def _states(self) -> Iterable[tuple[str, Any, Callback]]:
        for callback in self.callbacks:
            own = callback.state()
            if own is not None:
                yield type(callback).__name__, own, callback


class _Function(Callback):
    """A plain function as a callback."""

    def __init__(self, function: Callable[[Round], Any]) -> None:
        self._function = function

    def after_round(self, round: Round) -> bool | None:
        answer: bool | None = self._function(round)
        return answer

    @property
    def name(self) -> str:
        """Return the name of the function."""
        return name_of(self._function)


def _name_of(callback: Callback) -> str:
    return callback.name if isinstance(callback, _Function) else type(callback).__name__


def _raised_by(callback: Callback) -> str:
    return f"Raised by callback {_name_of(callback)}."


def _stops(callback: Callback, answer: Any) -> bool:
    """Whether the return value of a callback stops the training."""
    try:
        return bool(answer)
    except (TypeError, ValueError):  # an array or a table
        raise InvalidTypeError(
            f"Callback {_name_of(callback)} must return True to stop the training, or None or "
            f"False to continue. Got {shown(answer)}."
        ) from None


def check_callbacks(callbacks: Iterable[Any] | None) -> list[Callback]:
    """Validate callbacks. Wraps plain functions."""
    if callbacks is None:
        return []
    if isinstance(callbacks, Callback) or callable(callbacks):
        callbacks = [callbacks]
    if not is_iterable(callbacks):
        raise InvalidTypeError(f"callbacks must be a list of callbacks. Got {shown(callbacks)}.")
    checked: list[Callback] = []
    for callback in callbacks:
        if isinstance(callback, Callback):
            _check_methods(callback)
            checked.append(callback)
        elif callable(callback) and not isinstance(callback, type):
            check_arguments(callback, "A callback", ("round",), _A_ROUND)
            checked.append(_Function(callback))
        else:
            raise InvalidTypeError(
                "A callback must be a function of one argument, a ceiba.Round, or an instance of "
                f"ceiba.Callback. Got {shown(callback)}."
            )
    return checked


def _check_methods(callback: Callback) -> None:
    """Raise InvalidParameterError if a method of a callback has other arguments than the base."""
    name = type(callback).__name__
    for method, arguments in _METHODS.items():
        check_arguments(getattr(callback, method), f"{name}.{method}", arguments, _A_ROUND)


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed) if listed else "no callback with a state"
