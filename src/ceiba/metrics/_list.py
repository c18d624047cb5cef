"""Every metric. A new one is a file beside this one and a line in this list."""

from __future__ import annotations

from ceiba.metrics._base import Metric
from ceiba.metrics.accuracy import Accuracy
from ceiba.metrics.auc import Auc
from ceiba.metrics.error import Error
from ceiba.metrics.huber import HuberLoss
from ceiba.metrics.logloss import LogLoss
from ceiba.metrics.mae import Mae
from ceiba.metrics.multi_logloss import MultiLogLoss
from ceiba.metrics.quantile import QuantileLoss
from ceiba.metrics.r2 import R2
from ceiba.metrics.rmse import Rmse

METRICS: tuple[type[Metric], ...] = (
    Rmse,
    Mae,
    R2,
    HuberLoss,
    QuantileLoss,
    LogLoss,
    Auc,
    Accuracy,
    Error,
    MultiLogLoss,
)
