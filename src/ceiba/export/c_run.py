"""Predict rows with an exported C file: compile it, or interpret its arrays without a compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import ExportError
from ceiba.export.c_interpreter import interpret
from ceiba.export.described import Described

__all__ = ["find_compiler", "run"]

Floats = NDArray[np.float64]

_OPTIONS = ("-std=c99", "-O1", "-ffp-contract=off")
#: Seconds for compiling and for running; large models take a few.
_LONGEST = 600

#: Reads rows from the standard input, writes predictions to the standard output.
_MAIN = """
#include <stdio.h>
int main(void)
{
    static @NUMBER@ rows[256 * @NAME@_N_COLUMNS];
    static double out[256 * @NAME@_N_OUTPUTS];
    for (;;) {
        size_t n = fread(rows, sizeof *rows * @NAME@_N_COLUMNS, 256, stdin);
        if (n == 0) return 0;
        if (n == 256) @NAME@_predict_many(rows, n, out);
        else
            for (size_t k = 0; k < n; ++k)
                @NAME@_predict(rows + k * @NAME@_N_COLUMNS, out + k * @NAME@_N_OUTPUTS);
        fwrite(out, sizeof *out * @NAME@_N_OUTPUTS, n, stdout);
    }
}
"""


def run(
    content: bytes, model: Described, rows: Floats, *, dtype: str, name: str
) -> tuple[Floats, str]:
    """Return the predictions of a C file, and what made them."""
    compiler = find_compiler()
    if compiler is None:
        return interpret(content.decode(), model, rows, dtype), "an interpreter of the C arrays"
    number = "double" if dtype == "float64" else "float"
    main = _MAIN.replace("@NUMBER@", number).replace("@NAME@", name)
    given = rows.astype(np.float64 if dtype == "float64" else np.float32)
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "model.c"), Path(folder, "model")
        source.write_bytes(content + main.encode())
        _call([compiler, *_OPTIONS, "-o", str(program), str(source)])
        written = _call([str(program)], input=given.tobytes())
    return np.frombuffer(written).reshape(len(rows), -1), Path(compiler).name


def find_compiler() -> str | None:
    """Return the C compiler of the machine: $CC, cc, gcc or clang; None if there is none."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        found = shutil.which(name) if name else None
        if found:
            return found
    return None


def _call(command: list[str], **options: Any) -> bytes:
    done = subprocess.run(command, capture_output=True, timeout=_LONGEST, check=False, **options)
    if done.returncode != 0:
        text = done.stderr.decode(errors="replace")[:500]
        raise ExportError(
            f"The exported C file could not be checked: {Path(command[0]).name} failed with exit "
            f"code {done.returncode}. {text} Set the environment variable CC to a working C "
            "compiler."
        )
    written: bytes = done.stdout
    return written
