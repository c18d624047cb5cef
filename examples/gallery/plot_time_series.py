"""
Fits on a time series
=====================

Lagged values and the calendar are the columns; the last year is the test period. A tree cannot
predict values beyond those it was trained on, so the model predicts the difference from the value
a year before and follows the trend.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ceiba import CeibaRegressor

random = np.random.default_rng(0)
days = pd.date_range("2020-01-01", "2023-12-31", freq="D")
t = np.arange(len(days))
sales = 100 + 0.05 * t + 15 * np.sin(2 * np.pi * t / 365.25) - 12 * (days.day_of_week >= 5)
sales = pd.Series(sales + random.normal(0, 4, len(days)), index=days)

table = pd.DataFrame(
    {
        "weekday": days.day_of_week,
        "day of year": days.day_of_year,
        "a year ago": sales.shift(364),
        "mean of the week a year ago": sales.shift(361).rolling(7).mean(),
    },
    index=days,
)
known = table["mean of the week a year ago"].notna()
train, test = known & (days < "2023-01-01"), known & (days >= "2023-01-01")

level = CeibaRegressor(n_estimators=200, learning_rate=0.05).fit(table[train], sales[train])
change = CeibaRegressor(n_estimators=200, learning_rate=0.05)
change.fit(table[train], (sales - table["a year ago"])[train])
predicted = {
    "predicts the level": level.predict(table[test]),
    "predicts the change": table["a year ago"][test] + change.predict(table[test]),
}

figure, ax = plt.subplots(figsize=(10, 4.5), layout="constrained")
ax.plot(sales["2022-07":], color="0.75", label="observed")
for name, values in predicted.items():
    error = np.mean(np.abs(values - sales[test]))
    weekly = pd.Series(values, index=days[test]).rolling(7, center=True).mean()
    ax.plot(weekly, label=f"{name}: MAE {error:.2f}")
ax.axvline(pd.Timestamp("2023-01-01"), color="black", linewidth=0.8)
ax.set(ylabel="sales (predictions: mean of 7 days)")
ax.legend()
plt.show()
