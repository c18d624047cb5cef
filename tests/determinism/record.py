"""Write recorded.json: fingerprints and predictions of the models of ``recorded_settings``.

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
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from recorded_settings import SETTINGS, results, train_setting

FILE = Path(__file__).with_name("recorded.json")
LOG = Path(__file__).with_name("renewed.jsonl")


def matching(patterns: list[str]) -> list[str]:
    """Return the settings that the patterns name, in the order of the file."""
    names = [setting["name"] for setting in SETTINGS]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            sys.exit(f"--renew {pattern!r} matches no recorded setting.")
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("--renew", action="append", default=[], metavar="NAME")
    parser.add_argument("--reason", metavar="TEXT")
    given = parser.parse_args(arguments)
    if bool(given.renew) != bool(given.reason):
        parser.error("--renew and --reason must be given together.")
    renew = set(matching(given.renew))
    entries = json.loads(FILE.read_text()) if FILE.exists() else {}
    made: dict[str, Any] = {}
    log = []
    added = 0
    for setting in SETTINGS:
        name = setting["name"]
        old = entries.get(name)
        made[name] = old
        if old is not None and name not in renew:
            continue
        made[name] = results(setting, train_setting(setting))
        if old is None:
            added += 1
        elif made[name] != old:
            change = {"name": name, "from": old["fingerprint"], "to": made[name]["fingerprint"]}
            log.append(json.dumps({**change, "reason": given.reason}) + "\n")
    FILE.write_text(json.dumps(made, indent=1) + "\n")
    if log:
        with LOG.open("a") as file:
            file.writelines(log)
    print(f"{len(made)} entries: {added} added, {len(log)} of {len(renew)} named ones renewed")


if __name__ == "__main__":
    main(sys.argv[1:])
