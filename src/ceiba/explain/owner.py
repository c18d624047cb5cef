"""The model of an argument that may be a ``Model`` or a fitted estimator."""

from __future__ import annotations

from typing import Any

from ceiba.errors import InvalidTypeError
from ceiba.messages import shown

__all__ = ["model_of"]


def model_of(owner: Any) -> Any:
    """Return the model of a fitted estimator, or the model itself."""
    model = owner._fitted() if hasattr(owner, "_fitted") else owner
    if not hasattr(model, "forest") or not hasattr(model, "schema"):
        raise InvalidTypeError(
            f"model must be a ceiba.Model or a fitted boosting estimator. Got {shown(owner)}."
        )
    return model
