"""Build ceiba for a sanitizer and run the tests with it.

    python tools/sanitize.py address|thread [pytest arguments]

1. The engine is built with the sanitizer into build/sanitize-<kind>, away from every other build.
2. A package folder there links to the Python files of src/ceiba, with the new module beside them.
3. pytest runs with that package first on the path and the sanitizer's library loaded before
   Python, which itself is not instrumented. Reports go to files, so that those of child processes
   count too.
4. A report fails the run if a line of it lies in our module; others (Python, numpy) are counted.

address: AddressSanitizer and UndefinedBehaviorSanitizer, the whole suite.
thread:  ThreadSanitizer, the tests marked `threads`.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ceiba"
JOBS = os.environ.get("JOBS", "2")

# Leaks: Python frees nothing at exit. Allocations may fail: tests ask for too much on purpose.
OPTIONS = {
    "address": {
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:halt_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    },
    "thread": {"TSAN_OPTIONS": "halt_on_error=0:exitcode=0:history_size=4:die_after_fork=0"},
}
RUNTIME = {"address": "libasan.so", "thread": "libtsan.so"}


def build(kind: str, folder: Path) -> None:
    """Compile the module into ``folder/package/ceiba`` and link the Python files beside it."""
    package = folder / "package" / "ceiba"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for entry in PACKAGE.iterdir():
        if entry.suffix != ".so" and entry.name != "__pycache__":
            (package / entry.name).symlink_to(entry)
    # CMake and Ninja may live only in the build environment.
    variables = os.environ | {"PATH": f"{Path(sys.prefix).parent / 'build/bin'}:{os.environ['PATH']}"}
    generator = ["-G", "Ninja"] if shutil.which("ninja", path=variables["PATH"]) else []
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), *generator]
    configure += [f"-DCEIBA_SANITIZE={kind}", "-DCEIBA_INPLACE=ON"]
    configure += [f"-DCEIBA_INPLACE_DIR={package}", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(configure, check=True, env=variables, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "-j", JOBS], check=True, env=variables)


def library(name: str) -> str:
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, f"-print-file-name={name}"]
    path = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    if not Path(path).is_absolute():
        sys.exit(f"{compiler} has no {name}. Install the sanitizer libraries of your compiler.")
    return path


def threaded_files() -> list[str]:
    """Return the files with marked tests: others may import polars or catboost, which crash here.

    Both come with allocators of their own that do not start under ThreadSanitizer. A test that is
    not marked may import them itself.
    """
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    marked = [file for file in files if "mark.threads" in file.read_text()]
    for file in marked:
        if re.search(r"^(import|from) (polars|catboost)\b", file.read_text(), re.MULTILINE):
            sys.exit(
                f"{file.relative_to(ROOT)} imports polars or catboost, which do not start under "
                "ThreadSanitizer. Import them in the tests that need them."
            )
    return [str(file) for file in marked]


def environment(kind: str, folder: Path, reports: Path) -> dict[str, str]:
    """Return the variables of a process that runs the package and writes ``reports``."""
    return os.environ | {
        # libstdc++ too: the sanitizer looks for the real __cxa_throw before Python has loaded it.
        "LD_PRELOAD": f"{library(RUNTIME[kind])}:{library('libstdc++.so')}",
        "PYTHONPATH": str(folder / "package"),
        "PYTHONMALLOC": "malloc",  # so that the sanitizer sees Python's small blocks
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "CEIBA_SANITIZER": kind,  # tests that limit memory or time may look at it
        **{
            name: f"{value}:log_path={reports / name.split('_')[0].lower()}"
            for name, value in OPTIONS[kind].items()
        },
    }


def run_tests(kind: str, folder: Path, arguments: list[str]) -> int:
    reports = folder / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir()
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    if kind == "address":
        command += ["-n", JOBS, "--dist", "worksteal", *arguments]
    else:
        command += ["-p", "no:xdist", "-m", "threads", *(arguments or threaded_files())]
        # ThreadSanitizer wants its fixed addresses free, which address randomisation may take.
        command = ["setarch", platform.machine(), "-R", *command]
    variables = environment(kind, folder, reports)
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


def judge(folder: Path) -> int:
    """Print the reports that touch our module and return how many there are."""
    ours = others = 0
    for file in sorted((folder / "reports").iterdir()):
        for report in re.split(r"^=+$", file.read_text(errors="replace"), flags=re.MULTILINE):
            if "Sanitizer" not in report and "runtime error" not in report:
                continue
            if "_core." in report or "/cpp/" in report:
                ours += 1
                print(f"--- {file.name}\n{report.rstrip()}")
            else:
                others += 1
    print(f"{ours} reports from our code, {others} from Python or other libraries.")
    return ours


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in OPTIONS:
        sys.exit(f"Say which sanitizer: {' or '.join(OPTIONS)}.")
    kind, arguments = sys.argv[1], sys.argv[2:]
    folder = ROOT / "build" / f"sanitize-{kind}"
    build(kind, folder)
    status = run_tests(kind, folder, arguments)
    return 1 if judge(folder) or status else 0


if __name__ == "__main__":
    sys.exit(main())
