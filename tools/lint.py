"""Run every check and list those that failed. `make lint` and CI call this."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
CPP_FILES = sorted(
    str(p) for p in (ROOT / "cpp").rglob("*") if p.suffix in {".cpp", ".hpp", ".inc"}
)

CHECKS: tuple[tuple[str, list[str]], ...] = (
    ("Python style", ["ruff", "check", "--quiet", "."]),
    ("Python format", ["ruff", "format", "--check", "--quiet", "."]),
    ("Python types", ["mypy", "--no-error-summary"]),
    ("C++ format", ["clang-format", "--dry-run", "--Werror", *CPP_FILES]),
    ("import order", [sys.executable, "tools/check_layers.py"]),
    ("unique type names", [sys.executable, "tools/check_types.py"]),
    ("sizes", [sys.executable, "tools/check_sizes.py"]),
    ("tree arrays", [sys.executable, "tools/check_tree_arrays.py"]),
    ("AVX2 symbols", [sys.executable, "tools/check_avx2.py"]),
    ("binding stubs", [sys.executable, "tools/make_stubs.py", "--check"]),
    ("signatures", [sys.executable, "tools/make_signatures.py", "--check"]),
    ("parameter page", [sys.executable, "tools/make_parameter_page.py", "--check"]),
    ("coming-from tables", [sys.executable, "tools/make_coming_from.py", "--check"]),
    ("benchmark page", [sys.executable, "tools/make_readme.py", "--check"]),
)


def main() -> int:
    failed = []
    for name, command in CHECKS:
        start = time.perf_counter()
        result = subprocess.run(
            command,
            cwd=ROOT,
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        verdict = "ok" if result.returncode == 0 else "FAILED"
        print(f"{name:<18} {verdict:<7} {time.perf_counter() - start:5.1f} s", flush=True)
        if result.returncode:
            failed.append(name)
            print(result.stdout.rstrip(), flush=True)
    if failed:
        print(f"\n{len(failed)} of {len(CHECKS)} checks failed: {', '.join(failed)}.")
        print("`make format` fixes formatting, `make stubs generated` rewrites generated files.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
