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
    assert len(tool.threaded_files()) > 10


def test_reports_of_others_do_not_count(tool, tmp_path, capsys):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "asan.1").write_text("=====\nAddressSanitizer: SEGV in numpy\n")
    assert tool.judge(tmp_path) == 0
    assert "0 reports from our code, 1 from Python" in capsys.readouterr().out
