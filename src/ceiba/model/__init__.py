"""The trained model: its trees, its predictions and its file. Does not import training code."""

from ceiba.model.load import load_model
from ceiba.model.model import Model

__all__ = ["Model", "load_model"]
