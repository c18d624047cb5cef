"""The trained model: what it holds, how it predicts, and its file. It knows no trainer."""

from ceiba.model.load import load_model
from ceiba.model.model import Model

__all__ = ["Model", "load_model"]
