"""Fixtures of all tests: internal sizes and kernels put back, the data folder, hypothesis."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ceiba import _core

# Objects of the core that outlive the interpreter are reported when the run has ended.
_core.report_leaks(True)

# One run of the tests is like another: the cases are derived from the code of the test.
settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# Other cases in each run: HYPOTHESIS_PROFILE=search python -m pytest tests/properties
settings.register_profile("search", settings.get_profile("default"), derandomize=False)
# A fifth of the examples (see `shorten`), for runs under sanitizers (tools/sanitize.py).
settings.register_profile("short", settings.get_profile("default"))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("HYPOTHESIS_PROFILE") == "short":
        for item in items:
            shorten(item)
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow; run with --slow (make test-slow)")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def shorten(item: pytest.Item) -> None:
    """Divide the number of examples of a test. A profile cannot where the test gives a number."""
    function = getattr(item, "function", None)
    name = "_hypothesis_internal_use_settings"
    own = getattr(function, name, None)
    if own is not None and not hasattr(function, "_is_short"):
        setattr(function, name, settings(own, max_examples=max(3, own.max_examples // 5)))
        function._is_short = True


@pytest.fixture(autouse=True)
def restore_engine() -> Iterator[None]:
    """Put internal sizes and the choice of kernels back after each test."""
    sizes, avx2 = _core.settings(), _core.uses_avx2()
    yield
    _core.change_settings(**sizes)
    _core.set_avx2(avx2)


@pytest.fixture
def small_sizes() -> None:
    """Sizes so small that a hundred rows take every path."""
    _core.change_settings(
        block_rows=64, chunk_rows=64, serial_below=0, digit_rows=0, cached_codes=0
    )
    _core.reset_counters()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Return the folder of benchmark data beside the repository; skip where there is none."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the benchmark data (../shared/data beside the repository) is not there")
    return folder
