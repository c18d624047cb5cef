"""The installed release of XGBoost. Recipe xgboost follows the newest one, which needs Python 3.12.

Since 3.4, ``min_child_weight`` only rejects splits (it no longer sets the weight of light
categories to 0 when they are sorted), and ``reg_alpha`` counts in gains under ``max_delta_step``
and ``monotone_constraints``. With older releases, tests keep to settings on which both agree.
"""

from __future__ import annotations

try:
    import xgboost
except ImportError:
    IS_NEWEST = False
else:
    IS_NEWEST = tuple(int(part) for part in xgboost.__version__.split(".")[:2]) >= (3, 4)
