"""The trained model: what it holds, how it predicts, and its file. It knows no trainer."""

from ceiba.model.model import Model, load_model

__all__ = ["Model", "load_model"]
