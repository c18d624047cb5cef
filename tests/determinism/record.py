"""Writes recorded.json: what the models of ``tests/support/recorded_settings.py`` are, for ever.

    python tests/determinism/record.py

adds entries for settings that have none. It never touches an entry that exists: those are what
the first core gave (commit 040cbbb), and a core that gives something else has a mistake, or makes
another model of the same rows, which no release may do in silence.

    python tests/determinism/record.py --shared-fingerprints

is for one occasion, the day when a model file holds shared quantile trees once and not once for
each level: it renews the fingerprints of those settings, and refuses where anything else of them,
their predictions above all, is no longer what it was.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from recorded_settings import SETTINGS, results, train_setting

FILE = Path(__file__).with_name("recorded.json")


def renewed(old: dict[str, Any], new: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the old entry with the new fingerprint."""
    if {**old, "fingerprint": None} != {**new, "fingerprint": None}:
        sys.exit(f"{name!r} no longer predicts what was recorded. Nothing was written.")
    return new


def main(arguments: list[str]) -> None:
    entries = json.loads(FILE.read_text()) if FILE.exists() else {}
    renew, added, changed = arguments == ["--shared-fingerprints"], 0, 0
    if arguments and not renew:
        sys.exit(f"the only option is --shared-fingerprints. Got {' '.join(arguments)}.")
    for setting in SETTINGS:
        name = setting["name"]
        if name not in entries:
            entries[name] = results(setting, train_setting(setting))
            added += 1
        elif renew and setting["shared_trees"]:
            new = renewed(entries[name], results(setting, train_setting(setting)), name)
            changed += new != entries[name]
            entries[name] = new
    FILE.write_text(json.dumps(entries, indent=1) + "\n")
    print(f"{len(entries)} entries, {added} of them new, {changed} fingerprints renewed")


if __name__ == "__main__":
    main(sys.argv[1:])
