"""Save checkpoints so that training can resume after a crash."""

from __future__ import annotations

import os

from ceiba.callbacks._base import Callback, Round
from ceiba.errors import InvalidTypeError
from ceiba.model.load import save_checkpoint
from ceiba.parameters.constraints import Integer, check_value

__all__ = ["Checkpoint"]


class Checkpoint(Callback):
    """Writes a checkpoint every n rounds and after the last one.

    A checkpoint is a model file with the state of the training beside the trees, so
    ``ceiba.load_model(path)`` reads the model so far, and ``ceiba.train(..., resume_from=path)``,
    called with the rows, parameters and callbacks of the training, ends with the very model that
    the training would have ended with. The file is replaced in one step: it always holds the last
    complete checkpoint.

    Parameters
    ----------
    path : str or path
        The file.
    every : int, default=10
        Rounds from one checkpoint to the next.

    Examples
    --------
    >>> import ceiba
    >>> rows, params = ceiba.Dataset([[1.0], [2.0]], [1.0, 2.0]), {"n_estimators": 30}
    >>> model = ceiba.train(params, rows, callbacks=[ceiba.Checkpoint("training.ceiba")])
    >>> same = ceiba.train(params, rows, resume_from="training.ceiba")
    >>> same.fingerprint() == model.fingerprint()
    True
    """

    comes_last = True  # the state of the others is part of the checkpoint

    def __init__(self, path: str | os.PathLike[str], every: int = 10) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InvalidTypeError(f"path must be a string or a pathlib.Path. Got {path!r}.")
        self.path = path
        self.every: int = check_value("every", Integer(1), every)

    def after_round(self, round: Round) -> None:
        if round.is_last or (round.iteration + 1) % self.every == 0:
            save_checkpoint(self.path, round.make_model(), round.state())
