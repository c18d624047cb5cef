"""What either sanitizer finds reaches the folder of reports, and counts if it is ours."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The odd address is for the sanitizer of undefined behaviour, the short block for the other one.
LIBRARY = """
#include <cstring>
extern "C" int odd(char* p) { return *reinterpret_cast<volatile int*>(p + 1); }
extern "C" int past(int n) {
    char* block = new char[4];
    std::memset(block, 1, n);
    const int first = block[0];
    delete[] block;
    return first;
}
"""
COUNTED = """
import os
from hypothesis import given, settings, strategies as st
drawn = [[], []]
@settings(max_examples=50)
@given(st.integers())
def test_own_number(n):
    drawn[0].append(n)
@given(st.integers())
def test_default_number(n):
    drawn[1].append(n)
def test_numbers():
    assert " ".join(str(len(found)) for found in drawn) == os.environ["EXPECTED"]
"""
CALL = {
    "odd": "library.odd(ctypes.create_string_buffer(64))",
    "past": "library.past(9)",
}


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("sanitize", ROOT / "tools" / "sanitize.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flags_of_the_build(name):
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(rf"set\({name} ([^)]+)\)", text)[1].split()


@pytest.mark.skipif("CEIBA_SANITIZER" in os.environ, reason="this run is under a sanitizer already")
@pytest.mark.parametrize("found", CALL)
def test_both_sanitizers_write_reports(tool, tmp_path, capsys, found):
    compiler = os.environ.get("CXX", "c++")
    if shutil.which(compiler) is None:
        pytest.skip("there is no C++ compiler")
    try:
        environment = tool.environment("address", tmp_path, tmp_path / "reports")
    except SystemExit as missing:
        pytest.skip(str(missing))
    (tmp_path / "reports").mkdir()
    source = tmp_path / "cpp" / "wrong.cpp"
    source.parent.mkdir()
    source.write_text(LIBRARY)
    flags = flags_of_the_build("sanitizer_flags") + flags_of_the_build("sanitizer_link_flags")
    command = [compiler, "-shared", "-fPIC", "-g", "-O1", *flags, str(source), "-o", "_core.so"]
    subprocess.run(command, cwd=tmp_path, check=True)

    program = f"import ctypes; library = ctypes.CDLL('./_core.so'); {CALL[found]}"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode != 0
    assert tool.judge(tmp_path) == 1, run.stderr
    assert found in capsys.readouterr().out


def test_marked_files_start_under_the_thread_sanitizer(tool):
    parts = [part for part in tool.PARTS if part.startswith("thread")]
    files = [file for part in parts for file in tool.files_of(part)]
    marked = [f for f in (ROOT / "tests").rglob("test_*.py") if "mark.threads" in f.read_text()]
    marked.remove(Path(__file__))
    assert sorted(files) == sorted(marked)


def test_each_test_file_is_in_one_part_or_left_out(tool):
    parts = [part for part in tool.PARTS if part.startswith("address")]
    found = [file for part in parts for file in tool.files_of(part)]
    found += [file for place in tool.LEFT_OUT for file in tool.test_files(ROOT / "tests" / place)]
    assert sorted(found) == sorted((ROOT / "tests").rglob("test_*.py"))


def test_a_part_that_passed_runs_again_when_its_files_change(tool, tmp_path, monkeypatch):
    runs = []
    monkeypatch.setattr(tool, "run_tests", lambda *arguments: len(runs.append(arguments) or ()))
    monkeypatch.setattr(tool, "judge", lambda folder: 0)
    for found, expected in (("a", 1), ("a", 1), ("b", 2), ("b", 2)):
        monkeypatch.setattr(tool, "checksum", lambda part, found=found: found)
        assert "passed" in tool.run_part("address-data", "address", tmp_path)
        assert len(runs) == expected
    monkeypatch.setattr(tool, "judge", lambda folder: 1)
    monkeypatch.setattr(tool, "checksum", lambda part: "c")
    for _ in range(2):  # a failure leaves no stamp
        assert "FAILED" in tool.run_part("address-data", "address", tmp_path)
    assert len(runs) == 4


def test_the_checksum_covers_the_engine_the_package_and_the_tests(tool, tmp_path, monkeypatch):
    for folder in ("cpp/tree", "src/ceiba", "tests/support", "tests/threads", "tools"):
        (tmp_path / folder).mkdir(parents=True)
    names = ["cpp/tree/a.hpp", "src/ceiba/b.py", "tests/support/c.py", "tests/threads/test_d.py"]
    names += ["pyproject.toml", "CMakeLists.txt", "tools/sanitize.py", "tests/conftest.py"]
    for name in names:
        (tmp_path / name).write_text("")
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    sums = {tool.checksum("address-boosting")}
    for name in names:
        (tmp_path / name).write_text("changed")
        sums.add(tool.checksum("address-boosting"))
    assert len(sums) == len(names) + 1
    (tmp_path / "src/ceiba/_core.so").write_text("built")
    assert tool.checksum("address-boosting") in sums


def test_examples_are_fewer_under_sanitizers(tmp_path):
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_counts.py").write_text(COUNTED)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    for profile, expected in (("short", "10 20"), ("default", "50 100")):
        environment = os.environ | {"HYPOTHESIS_PROFILE": profile, "EXPECTED": expected}
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)


def test_reports_of_others_do_not_count(tool, tmp_path, capsys):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "asan.1").write_text("=====\nAddressSanitizer: SEGV in numpy\n")
    assert tool.judge(tmp_path) == 0
    assert "0 reports from our code, 1 from Python" in capsys.readouterr().out
