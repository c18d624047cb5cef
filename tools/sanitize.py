"""Build ceiba for a sanitizer and run the tests with it, part by part.

    python tools/sanitize.py                          all parts (what `make sanitize` does)
    python tools/sanitize.py address | thread         the parts of one sanitizer
    python tools/sanitize.py address-trees            one part
    python tools/sanitize.py thread tests/threads -x  further arguments go to pytest; no stamp

1. The engine is built with the sanitizer into build/sanitize-<kind>, away from every other build.
2. A package folder there links to the Python files of src/ceiba, next to the new module.
3. pytest runs a part with that package first on the path. The sanitizer's library is loaded before
   Python, which is not instrumented. Reports are written to files, to include child processes.
4. A part fails if a report has a line of our module. Other reports (Python, numpy) are counted.
5. A part that passes writes a stamp: the checksum of the package, the core and its tests. Later
   calls skip the part until one of them changes.

address: AddressSanitizer and UndefinedBehaviorSanitizer, all tests except LEFT_OUT.
thread:  ThreadSanitizer, the tests marked `threads`.

Hypothesis draws a fifth of its usual examples here (profile `short` of tests/conftest.py), because
memory errors and races hardly depend on the drawn values. `make test` draws all of them.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ceiba"
JOBS = os.environ.get("JOBS", "2")

# Folders and files of the tests of each part.
PARTS: dict[str, tuple[str, ...]] = {
    "address-data": (
        "unit/data", "unit/storage", "unit/model", "unit/imports", "unit/export",
        "unit/parameters", "unit/metrics", "unit/objectives",
        "model_files", "bad_input", "crash",
    ),
    "address-trees": (
        "unit/base", "unit/gradient", "unit/rows", "unit/sample", "unit/split", "unit/tree",
        "unit/leaf", "properties",
    ),
    "address-boosting": (
        "unit/boosting", "unit/callbacks", "unit/testing", "determinism", "threads",
    ),
    "address-use": (
        "unit/estimators", "unit/policy", "unit/explain", "unit/hybrids", "unit/demo",
        "sklearn",
        "unit/test_cross_validation.py", "unit/test_errors.py", "unit/test_messages.py",
        "unit/test_package.py", "unit/test_random.py", "unit/test_reductions.py",
        "unit/test_residual_statistics.py", "unit/test_training.py",
    ),
    "thread-determinism": ("determinism",),
    "thread-rest": ("unit", "properties", "threads"),
}  # fmt: skip
# Tests that run under no sanitizer, with the reason.
LEFT_OUT = {
    "parity": "trains peers; other tests train the same ceiba models",
    "docs": "reads and runs pages",
    "bench": "the benchmarks' own Python code",
    "typed": "type checkers",
    "tools": "the tools' own Python code",
    "unit/plot": "draws what unit/explain computes",
    "unit/reporting": "writes pages from what others compute",
    "examples": "a web service",
}

# Leaks are not checked: Python frees nothing at exit. Some tests make allocations fail on purpose.
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
        # CMake and Ninja may be installed only in the build environment.
    variables = os.environ | {
        "PATH": f"{Path(sys.prefix).parent / 'build/bin'}:{os.environ['PATH']}"
    }
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


def files_of(part: str) -> list[Path]:
    """Return the test files of a part: for ThreadSanitizer those with marked tests.

    Others may import polars or catboost, which crash there: both come with allocators of their own
    that do not start under ThreadSanitizer. A test that is not marked may import them itself.
    """
    files = [file for place in PARTS[part] for file in test_files(ROOT / "tests" / place)]
    if part.startswith("address"):
        return files
    marked = [file for file in files if "mark.threads" in file.read_text()]
    for file in marked:
        if re.search(r"^(import|from) (polars|catboost)\b", file.read_text(), re.MULTILINE):
            sys.exit(
                f"{file.relative_to(ROOT)} imports polars or catboost, which do not start under "
                "ThreadSanitizer. Import them in the tests that need them."
            )
    return marked


def test_files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("test_*.py"))


def checksum(part: str) -> str:
    """Return the SHA-256 of everything that a part's result depends on."""
    found = hashlib.sha256(sys.version.encode())
    names = ("pyproject.toml", "CMakeLists.txt", "tools/sanitize.py", "tests/conftest.py")
    files = [ROOT / name for name in names] + files_of(part)
    for folder in ("cpp", "src/ceiba", "tests/support"):
        files += [
            file
            for file in sorted((ROOT / folder).rglob("*"))
            if file.is_file() and file.suffix not in {".so", ".pyc"}
        ]
    for file in files:
        found.update(f"{file.relative_to(ROOT)}\n{file.stat().st_size}\n".encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def environment(kind: str, folder: Path, reports: Path) -> dict[str, str]:
    """Return the variables of a process that runs the package and writes ``reports``."""
    return os.environ | {
        # Load libstdc++ too: the sanitizer needs __cxa_throw before Python loads it.
        "LD_PRELOAD": f"{library(RUNTIME[kind])}:{library('libstdc++.so')}",
        "PYTHONPATH": str(folder / "package"),
        "PYTHONMALLOC": "malloc",  # so that the sanitizer tracks Python's small blocks
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "CEIBA_SANITIZER": kind,  # for tests that limit memory or time
        "HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "short"),
        **{
            name: f"{value}:log_path={reports / name.split('_')[0].lower()}"
            for name, value in OPTIONS[kind].items()
        },
    }


def run_tests(kind: str, folder: Path, arguments: list[str]) -> int:
    reports = folder / "reports"
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-n", JOBS, "--dist", "worksteal", *arguments]
    if kind == "thread":
        # ThreadSanitizer needs fixed addresses, which address randomization may occupy.
        command = ["setarch", platform.machine(), "-R", *command, "-m", "threads"]
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


def run_part(part: str, kind: str, folder: Path) -> str:
    """Run a part unless it has passed with the same files, and return the verdict."""
    stamp, sum_now = folder / "passed" / part, checksum(part)
    if stamp.exists() and stamp.read_text() == sum_now:
        return "passed before with the same files"
    print(f"=== {part}: {len(files_of(part))} test files", flush=True)
    start = time.monotonic()
    status = run_tests(kind, folder, [str(file) for file in files_of(part)])
    failed = judge(folder) > 0 or status != 0
    minutes = (time.monotonic() - start) / 60
    if failed:
        return f"FAILED after {minutes:.1f} minutes"
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(sum_now)
    return f"passed in {minutes:.1f} minutes"


def chosen_parts(word: str) -> Iterator[str]:
    return (part for part in PARTS if word in {"", part, part.split("-")[0]})


def main() -> int:
    word, arguments = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    parts = list(chosen_parts(word))
    if not parts:
        sys.exit(f"There is no part {word!r}. Choose from: address, thread, {', '.join(PARTS)}.")
    verdicts = {}
    for kind in dict.fromkeys(part.split("-")[0] for part in parts):
        folder = ROOT / "build" / f"sanitize-{kind}"
        build(kind, folder)
        if arguments:
            status = run_tests(kind, folder, arguments)
            return 1 if judge(folder) or status else 0
        for part in (each for each in parts if each.startswith(kind)):
            verdicts[part] = run_part(part, kind, folder)
            print(f"=== {part}: {verdicts[part]}", flush=True)
    print("\nNot run under sanitizers:")
    for place, reason in LEFT_OUT.items():
        print(f"  tests/{place:<12} {reason}")
    print("\n" + "\n".join(f"{part:<20} {verdict}" for part, verdict in verdicts.items()))
    return 1 if any(verdict.startswith("FAILED") for verdict in verdicts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
