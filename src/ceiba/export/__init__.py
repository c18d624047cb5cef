"""Write models in other formats: ONNX, LightGBM text, C and Python."""

from ceiba.export.formats import ExportCheck, export, export_described

__all__ = ["ExportCheck", "export", "export_described"]
