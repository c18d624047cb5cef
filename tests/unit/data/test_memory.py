"""Tables that would not fit into memory are refused before they are allocated."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import Dataset, train
from ceiba.data import binning, memory
from ceiba.data.memory import available_memory, check_memory
from ceiba.errors import InsufficientMemoryError


def test_what_does_not_fit() -> None:
    check_memory(1000, "A few values")
    with pytest.raises(
        InsufficientMemoryError, match=r"Many values need 1048576\.0 GB\. Available are"
    ):
        check_memory(2**50, "Many values")


def test_a_system_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*arguments: object, **more: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", missing)
    assert available_memory() is None
    check_memory(1000, "A few values")
    with pytest.warns(UserWarning, match=r"Many values need 1048576\.0 GB\..*cannot check"):
        check_memory(2**50, "Many values")


GB = 2**30


def with_files(monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> None:
    own = {"/proc/meminfo": f"MemTotal: 9 kB\nMemAvailable:  {8 * 2**20} kB\n", **files}
    monkeypatch.setattr(memory, "_lines", lambda path: own.get(path, "").splitlines(True))


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({}, 8 * GB),
        (  # version 2; the limit is that of the parent
            {
                "/proc/self/cgroup": "0::/box/inner\n",
                "/sys/fs/cgroup/box/inner/memory.max": "max\n",
                "/sys/fs/cgroup/box/inner/memory.current": f"{GB}\n",
                "/sys/fs/cgroup/box/memory.max": f"{4 * GB}\n",
                "/sys/fs/cgroup/box/memory.current": f"{3 * GB}\n",
                "/sys/fs/cgroup/box/memory.stat": f"anon 5\ninactive_file {GB}\n",
            },
            2 * GB,
        ),
        (  # version 1, in a container that sees its group as the root
            {
                "/proc/self/cgroup": "4:cpu,memory:/docker/x\n3:cpuset:/\n0::/\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": f"{GB}\n",
                "/sys/fs/cgroup/memory/memory.usage_in_bytes": f"{2 * GB}\n",
            },
            0,
        ),
        (  # a limit beyond the machine's memory
            {
                "/proc/self/cgroup": "4:memory:/\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                "/sys/fs/cgroup/memory/memory.usage_in_bytes": f"{GB}\n",
            },
            8 * GB,
        ),
    ],
)
def test_limits_of_control_groups(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, str], left: int
) -> None:
    with_files(monkeypatch, files)
    assert available_memory() == left


def test_codes_that_do_not_fit_are_refused_before_they_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = np.random.default_rng(0).normal(size=(1000, 5))
    monkeypatch.setattr(binning, "_CHECKED_CODES", 100)
    train({"n_estimators": 1}, Dataset(X, X[:, 0]))
    monkeypatch.setattr(memory, "available_memory", lambda: 4000)
    with pytest.raises(InsufficientMemoryError, match=r"bin codes of 1000 x 5 .*from_source"):
        train({"n_estimators": 1}, Dataset(X, X[:, 0]))
    rare = (np.random.default_rng(0).random((1000, 50)) < 0.001) * 1.0
    train({"n_estimators": 1}, Dataset(rare, X[:, 0]))  # shares its columns of codes
