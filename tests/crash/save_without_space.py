"""Saves a model that does not fit, for real: a file-size limit, or a full disk.

    python save_without_space.py PATH [LIMIT_IN_BYTES]

PATH holds a model. Exits with 0 if saving a larger one raises SaveError and leaves PATH whole.
"""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path

from ceiba.errors import SaveError
from ceiba.model.load import load_model
from ceiba.testing.forests import random_model


def main(path, limit=None):
    old = load_model(path).fingerprint()
    large = random_model(5, n_iterations=400)
    if limit is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    try:
        large.save(path)
    except SaveError as error:
        print(error)
    else:
        raise SystemExit("the model fitted: the test tests nothing")
    assert load_model(path).fingerprint() == old
    assert list(Path(path).parent.iterdir()) == [Path(path)], "a temporary file was left"


if __name__ == "__main__":
    main(*sys.argv[1:])
