"""Adjust the API reference: short signatures, and no methods that only scikit-learn calls."""

import re
from typing import Any

from sphinx.application import Sphinx

LONGEST = 10
"""Parameters that a signature shows; a longer one is cut. The list of parameters is below it."""
OF_SCIKIT_LEARN = re.compile(r"set_\w+_request|get_metadata_routing")


def shorten(
    app: Sphinx, what: str, name: str, obj: object, options: Any, signature: str, returns: str
) -> tuple[str, str] | None:
    """Cut the signature of an estimator, which names more than a hundred parameters."""
    if not signature or signature.count("=") <= LONGEST:
        return None
    first = re.findall(r"(\w+)=", signature)[0]
    value = re.findall(r"\w+=('[^']*'|[^,)]*)", signature)[0]
    return f"(*, {first}={value}, **parameters)", returns


def skip(app: Sphinx, what: str, name: str, obj: object, skipped: bool, options: Any) -> bool:
    return skipped or bool(OF_SCIKIT_LEARN.fullmatch(name))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
