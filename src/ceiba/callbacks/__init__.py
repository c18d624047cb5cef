"""Callbacks: functions and objects that see every training round and can stop it.

``_base.py`` has the life of a callback; every other file has one kind.
"""

from __future__ import annotations

from ceiba.callbacks._base import (
    Callback,
    CallbackList,
    Round,
    check_callbacks,
)
from ceiba.callbacks.checkpoint import Checkpoint
from ceiba.callbacks.early_stopping import EarlyStopping
from ceiba.callbacks.foreign import Translated, translated
from ceiba.callbacks.history import RecordHistory
from ceiba.callbacks.progress import LogRounds, ProgressBar

__all__ = [
    "Callback",
    "CallbackList",
    "Checkpoint",
    "EarlyStopping",
    "LogRounds",
    "ProgressBar",
    "RecordHistory",
    "Round",
    "Translated",
    "check_callbacks",
    "translated",
]
