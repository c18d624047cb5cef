"""Write models in other formats: ONNX, LightGBM text, C and Python."""

from ceiba.export.formats import ExportCheck

__all__ = ["ExportCheck"]
