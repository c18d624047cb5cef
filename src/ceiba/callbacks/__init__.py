"""Callbacks: functions and objects that are called after every training round and can stop it.

``_base.py`` describes the life of a callback. Every other file contains one kind of callback.
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
