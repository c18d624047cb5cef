"""Python files as their users run them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from exported_models import classifier, regressor


def test_a_python_file_takes_lists_and_dictionaries(tmp_path: Path) -> None:
    model = classifier()
    model.export(tmp_path / "own_model.py", format="python")
    script = (
        "import own_model\n"
        "print(own_model.predict([0.5, 'oslo', 3]))\n"
        "print(own_model.predict_class({'size': 0.5, 'city': None, 'code': 3}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.')\n{script}"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, second = done.stdout.splitlines()
    row = pd.DataFrame({"size": [0.5], "city": ["oslo"], "code": [3]})
    assert first == str(model.predict_proba(row)[0].tolist())
    assert second == model.predict(row.assign(city=None))[0]


def test_a_python_file_refuses_unseen_categories(tmp_path: Path) -> None:
    model = regressor(unseen_category="error")
    model.export(tmp_path / "model.py", format="python")
    names: dict[str, Any] = {}
    exec((tmp_path / "model.py").read_text(), names)
    with pytest.raises(ValueError, match="'paris'"):
        names["predict"]([0.5, "paris", 3])
    with pytest.raises(ValueError, match="must have 3 values"):
        names["predict"]([0.5])
