"""Save checkpoints so that training can resume after a crash."""

from __future__ import annotations

import os

from ceiba.callbacks._base import Callback, Round
from ceiba.errors import InvalidTypeError
from ceiba.model.load import save_checkpoint
from ceiba.parameters.constraints import Integer, check_value

__all__ = ["Checkpoint"]


class Checkpoint(Callback):
    """Write a checkpoint every n rounds and after the last round.

    A checkpoint is a model file that also contains the training state. ``ceiba.load_model(path)``
    loads the model so far. ``ceiba.train(..., resume_from=path)`` resumes the training; with the
    same rows, parameters and callbacks it returns the same model as without the interruption. The
    file is replaced atomically.

    Parameters
    ----------
    path : str or path
        Path of the checkpoint file.
    every : int, default=10
        Number of rounds between checkpoints.

    Examples
    --------
    >>> import ceiba
    >>> rows, params = ceiba.Dataset([[1.0], [2.0]], [1.0, 2.0]), {"n_estimators": 30}
    >>> model = ceiba.train(params, rows, callbacks=[ceiba.Checkpoint("training.ceiba")])
    >>> same = ceiba.train(params, rows, resume_from="training.ceiba")
    >>> same.fingerprint() == model.fingerprint()
    True
    """

    comes_last = True  # the checkpoint contains the state of the other callbacks

    def __init__(self, path: str | os.PathLike[str], every: int = 10) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InvalidTypeError(f"path must be a string or a pathlib.Path. Got {path!r}.")
        self.path = path
        self.every: int = check_value("every", Integer(1), every)

    def after_round(self, round: Round) -> None:
        if round.is_last or (round.iteration + 1) % self.every == 0:
            save_checkpoint(self.path, round.make_model(), round.state())
