"""Write recorded.json: fingerprints and predictions of the models of ``recorded_settings``.

Predictions of ``recorded_hybrids`` go to recorded_hybrids.json by the same rules.

    python tests/determinism/record.py

adds entries for settings that have none. It never touches an existing entry.

    python tests/determinism/record.py --renew NAME [--renew NAME …] --reason TEXT

trains the named settings again and replaces their entries, for a change that makes other models on
purpose. NAME may contain wildcards ("recipe lightgbm*"). Each replaced entry becomes a line of
renewed.jsonl with its old and new fingerprint and the reason; entries that did not change are left
alone and are not logged.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from recorded_hybrids import HYBRIDS, predictions_of
from recorded_settings import SETTINGS, results, train_setting

FILE = Path(__file__).with_name("recorded.json")
HYBRID_FILE = Path(__file__).with_name("recorded_hybrids.json")
LOG = Path(__file__).with_name("renewed.jsonl")


def matching(patterns: list[str]) -> set[str]:
    """Return the names of the settings that the patterns name."""
    names = [setting["name"] for setting in (*SETTINGS, *HYBRIDS)]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            sys.exit(f"--renew {pattern!r} matches no recorded setting.")
    return {name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)}


def update(file: Path, made: dict[str, Callable[[], Any]], renew: set[str]) -> dict[str, Any]:
    """Add missing entries, replace those to renew, and return the old value of what changed."""
    entries = json.loads(file.read_text()) if file.exists() else {}
    new = {
        name: make() if name in renew or name not in entries else entries[name]
        for name, make in made.items()
    }
    file.write_text(json.dumps(new, indent=1) + "\n")
    return {name: entries.get(name) for name in new if new[name] != entries.get(name)}


def log_of(name: str, old: Any, reason: str) -> str:
    new = {**json.loads(FILE.read_text()), **json.loads(HYBRID_FILE.read_text())}[name]
    change = {"name": name, "reason": reason}
    if isinstance(new, dict):
        change |= {"from": old["fingerprint"], "to": new["fingerprint"]}
    return json.dumps(change) + "\n"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("--renew", action="append", default=[], metavar="NAME")
    parser.add_argument("--reason", metavar="TEXT")
    given = parser.parse_args(arguments)
    if bool(given.renew) != bool(given.reason):
        parser.error("--renew and --reason must be given together.")
    renew = matching(given.renew)
    models = {s["name"]: partial(lambda s: results(s, train_setting(s)), s) for s in SETTINGS}
    hybrids = {s["name"]: partial(predictions_of, s) for s in HYBRIDS}
    changed = update(FILE, models, renew) | update(HYBRID_FILE, hybrids, renew)
    renewed = {name: old for name, old in changed.items() if old is not None}
    with LOG.open("a") as file:
        file.writelines(log_of(name, old, given.reason) for name, old in renewed.items())
    print(f"{len(changed) - len(renewed)} entries added, {len(renewed)} of {len(renew)} renewed")


if __name__ == "__main__":
    main(sys.argv[1:])
