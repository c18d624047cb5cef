"""Models of other libraries: LightGBM, XGBoost, CatBoost and scikit-learn.

``load_model`` calls :func:`load_foreign` for files that ceiba did not write. :func:`from_model`
takes fitted boosters and estimators.

The life of an imported model:

1. A reader (``lightgbm_text.py``, ``xgboost_json.py``, ``catboost_json.py``, ``sklearn_*.py``)
   parses a file or reads the attributes of an object. It makes a :class:`RawTrees` and a
   :class:`Columns`, and translates the objective.
2. :class:`RawTrees` orders the nodes.
3. :class:`ForeignModel` passes everything through the checks of ceiba's own model files.
"""

from __future__ import annotations

from ceiba.imports.files import is_foreign, load_foreign
from ceiba.imports.objects import from_model

__all__ = ["from_model", "is_foreign", "load_foreign"]
