"""Two builds against each other: what a profile of callgrind says, and how a row is shown."""

from __future__ import annotations

from benchmarks.builds.__main__ import COUNTED, MEASURED, TIMED, Row, best_row
from benchmarks.builds.callgrind import Instructions, read_profile
from benchmarks.cases import CASES

PROFILE = """# callgrind format
version: 1
events: Ir
summary: 1178

ob=(1) /usr/bin/python3
fn=(1) main
12 100
+3 50
cob=(2) /somewhere/ceiba/_core.cpython-311.so
cfn=(2) ceiba::grow()
calls=2 0
* 1020

ob=(2)
fn=(2)
0 900
cob=(3) /usr/lib/libc.so.6
cfn=(3) memset
calls=1 0
0 20
cob=(1)
cfn=(4) PyObject_Call
calls=1 0
0 8
cfn=(5) ceiba::helper()
calls=1 0
0 100

fn=(5)
-4 100

ob=(3)
fn=(3)
0 20

ob=(1)
fn=(4)
0 8
"""


def test_the_core_is_the_module_and_what_it_asks_of_the_system() -> None:
    assert read_profile(PROFILE) == Instructions(total=1178, core=900 + 100 + 20)


def test_instructions_are_subtracted_one_by_one() -> None:
    assert Instructions(10, 7) - Instructions(4, 3) == Instructions(6, 4)


def test_a_row_compares_the_best_of_all_rounds() -> None:
    old = [{"seconds": 2.0, "cpu_seconds": 4.0, "same": "a"}] * 2
    new = [{"seconds": t, "cpu_seconds": 3.0, "same": "a"} for t in (9.0, 2.5)]
    row = best_row("train", (old, new), "seconds", 1.05, "s")
    assert (row.ratio, row.same, row.beside) == (1.25, True, "CPU 0.750")
    assert row.line() == "| train | 2.00 s | 2.50 s | 1.2500 | ≤ 1.05 | **no** | CPU 0.750 |"


def test_other_predictions_are_marked() -> None:
    row = best_row("file", ([{"b": 9, "same": "a"}], [{"b": 3, "same": "c"}]), "b", None, "kB")
    assert row == Row("file", "9.0 kB", "3.0 kB", 1 / 3, None, same=False)
    assert row.line().startswith("| file \\* | 9.0 kB")


def test_the_cases_are_those_of_the_readme() -> None:
    assert set(COUNTED) | set(MEASURED) | set(TIMED) <= set(CASES)
