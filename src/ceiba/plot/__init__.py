"""Plots of models with matplotlib.

Every function draws on given axes or makes a figure, and returns the axes. All functions are also
methods: ``model.plot.importances()``, ``classifier.plot.roc(X, y)``. The first plot imports
matplotlib; install it with ``pip install 'ceiba[plot]'``.
"""

from __future__ import annotations

from ceiba.plot.classes import confusion, precision_recall, roc
from ceiba.plot.curves import steps, training
from ceiba.plot.importance import importances
from ceiba.plot.methods import ModelPlots
from ceiba.plot.partial import partial_dependence
from ceiba.plot.regions import regions
from ceiba.plot.regression import coverage, observed, residuals
from ceiba.plot.reliability import calibration
from ceiba.plot.shap_values import dependence, interactions, waterfall
from ceiba.plot.swarm import beeswarm
from ceiba.plot.trees import tree

__all__ = [
    "ModelPlots",
    "importances",
    "beeswarm",
    "waterfall",
    "dependence",
    "interactions",
    "partial_dependence",
    "tree",
    "training",
    "steps",
    "roc",
    "precision_recall",
    "calibration",
    "confusion",
    "regions",
    "residuals",
    "observed",
    "coverage",
]
