"""List of all metrics. To add one, add a file beside this one and a line in this list."""

from __future__ import annotations

from ceiba.metrics._base import Metric
from ceiba.metrics.accuracy import Accuracy
from ceiba.metrics.auc import Auc
from ceiba.metrics.average_precision import AveragePrecision
from ceiba.metrics.balanced_accuracy import BalancedAccuracy
from ceiba.metrics.brier import Brier
from ceiba.metrics.cohen_kappa import CohenKappa
from ceiba.metrics.cross_entropy import CrossEntropy
from ceiba.metrics.error import Error
from ceiba.metrics.exponential_loss import ExponentialLoss
from ceiba.metrics.f1 import F1
from ceiba.metrics.gamma_deviance import GammaDeviance
from ceiba.metrics.huber import HuberLoss
from ceiba.metrics.logloss import LogLoss
from ceiba.metrics.mae import Mae
from ceiba.metrics.map import MeanAveragePrecision
from ceiba.metrics.mape import Mape
from ceiba.metrics.mcc import MatthewsCorrelation
from ceiba.metrics.mrr import MeanReciprocalRank
from ceiba.metrics.mse import Mse
from ceiba.metrics.multi_auc import MultiAuc
from ceiba.metrics.multi_logloss import MultiLogLoss
from ceiba.metrics.ndcg import Ndcg
from ceiba.metrics.poisson_deviance import PoissonDeviance
from ceiba.metrics.precision import Precision
from ceiba.metrics.pseudo_huber import PseudoHuberLoss
from ceiba.metrics.quantile import QuantileLoss
from ceiba.metrics.r2 import R2
from ceiba.metrics.rmse import Rmse
from ceiba.metrics.rmsle import Rmsle
from ceiba.metrics.tweedie_deviance import TweedieDeviance

METRICS: tuple[type[Metric], ...] = (
    Rmse,
    Mse,
    Mae,
    R2,
    Mape,
    Rmsle,
    PoissonDeviance,
    GammaDeviance,
    TweedieDeviance,
    HuberLoss,
    PseudoHuberLoss,
    QuantileLoss,
    LogLoss,
    CrossEntropy,
    ExponentialLoss,
    Auc,
    AveragePrecision,
    Accuracy,
    Error,
    BalancedAccuracy,
    F1,
    MatthewsCorrelation,
    CohenKappa,
    Brier,
    MultiLogLoss,
    MultiAuc,
    Ndcg,
    MeanAveragePrecision,
    MeanReciprocalRank,
    Precision,
)
