"""
Train on a table that is read block by block
============================================

``Dataset.from_source`` reads a table in blocks and keeps one bin code per value instead of a float.
The model does not change: any division into blocks gives the same bins and the same trees. The bars
show the size of the values, of the codes, and of the file that ``Dataset.save`` writes.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import ceiba

N_BLOCKS, N_ROWS, N_COLUMNS = 10, 20_000, 12


def blocks():
    for seed in range(N_BLOCKS):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(N_ROWS, N_COLUMNS))
        X[:, 4:] = np.round(np.exp(X[:, 4:]))  # counts
        yield X, X[:, 0] + np.log1p(X[:, 4]) + rng.normal(size=N_ROWS)


dataset = ceiba.Dataset.from_source(blocks)
model = ceiba.train({"n_estimators": 50}, dataset)

parts = list(blocks())
whole = ceiba.Dataset(np.concatenate([X for X, _ in parts]), np.concatenate([y for _, y in parts]))
same = ceiba.train({"n_estimators": 50}, whole).fingerprint() == model.fingerprint()

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "rows.ceiba"
    dataset.save(path)
    file_size = path.stat().st_size

n_values = N_BLOCKS * N_ROWS * N_COLUMNS
sizes = {
    "float64 values": 8 * n_values,
    "codes in memory": 2 * n_values,
    "file with targets": file_size,
}
figure, ax = plt.subplots(figsize=(7, 2.6), layout="constrained")
bars = ax.barh(list(sizes), [size / 2**20 for size in sizes.values()])
ax.bar_label(bars, fmt="%.0f MB", padding=4)
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
ax.set_xlabel("MB")
ax.set_title(f"{N_BLOCKS * N_ROWS:,} rows in {N_BLOCKS} blocks; same model as in memory: {same}")
plt.show()
