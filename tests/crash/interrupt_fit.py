"""Fits an estimator until the process gets SIGINT, as by Ctrl-C; looks at what is left.

    python interrupt_fit.py READY_DESCRIPTOR

Writes a byte to the descriptor after a few rounds, and prints one JSON object when it was
interrupted.
"""

from __future__ import annotations

import json
import os
import sys

import numpy as np

from ceiba import CeibaClassifier, TrainingInterrupted


def main(ready):
    numbers = np.random.default_rng(0)
    x = numbers.normal(size=(20_000, 10))
    y = np.digitize(x[:, 0] + numbers.normal(size=20_000), [-0.5, 0.5])

    def tell(round):
        if round.iteration == 3:
            os.write(ready, b"x")

    classifier = CeibaClassifier(n_estimators=1_000_000, n_jobs=2, subsample=0.7)
    try:
        classifier.fit(x, y, callbacks=[tell], eval_set=[(x[:500], y[:500])])
    except TrainingInterrupted as interrupted:
        message = str(interrupted)
    n_rounds = classifier.n_iter_
    again = CeibaClassifier(n_estimators=n_rounds, n_jobs=2, subsample=0.7).fit(x, y)
    (values,) = classifier.evals_result_["validation_0"].values()
    found = {
        "message": message,
        "rounds": n_rounds,
        "classes": classifier.classes_.tolist(),
        "same": again.model_.fingerprint() == classifier.model_.fingerprint(),
        "predictions": bool((again.predict(x) == classifier.predict(x)).all()),
        "history": len(values),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
