"""C files as their users compile and call them."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported_models import TABLE, N, classifier

from ceiba.export.c_run import find_compiler


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "parameters", [{}, {"categorical": "target"}, {"leaf_model": "linear"}, {"missing": 0.0}]
)
def test_c_compiles_without_warnings_and_reads_categories(
    parameters: dict[str, Any], dtype: Any, tmp_path: Path
) -> None:
    model = classifier(**parameters)
    model.export(tmp_path / "model.c", format="c", name="mine", dtype=dtype)
    warnings = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror")
    library = tmp_path / "model.so"
    command = [find_compiler(), *warnings, "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", library, tmp_path / "model.c"], check=True)
    functions = ctypes.CDLL(str(library))
    functions.mine_level.restype = functions.mine_level_of_integer.restype = ctypes.c_double
    rows = np.empty((N, 3), dtype=dtype)
    rows[:, 0] = TABLE["size"]
    for i in range(N):
        text, code = TABLE.city.iloc[i], int(TABLE.code.iloc[i])
        known = isinstance(text, str)
        rows[i, 1] = functions.mine_level(1, text.encode()) if known else np.nan
        rows[i, 2] = functions.mine_level_of_integer(2, ctypes.c_int64(code))
    found = np.empty((N, 3))
    pointer = ctypes.c_void_p
    functions.mine_predict_many(
        pointer(rows.ctypes.data), ctypes.c_size_t(N), pointer(found.ctypes.data)
    )
    rounded = TABLE.assign(size=TABLE["size"].astype(dtype))
    assert (found == model.predict_proba(rounded)).all()
    assert functions.mine_level(1, b"nowhere") == -1.0
