"""
A report page about a model
===========================

`ceiba.report` writes one HTML file that you can send to someone who will never start Python. This
one is about a model of wine quality. The training table adds the section about drift: the model
learned from red wines of low alcohol, and is judged on strong ones.
"""

import html
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import ceiba

random = np.random.default_rng(0)
n_rows = 3000
wines = pd.DataFrame(
    {
        "alcohol": random.normal(10.4, 1.1, n_rows),
        "acidity": random.gamma(9.0, 0.06, n_rows),
        "sugar": random.lognormal(0.9, 0.4, n_rows),
        "region": random.choice(["north", "south", "island"], n_rows, p=[0.5, 0.4, 0.1]),
    }
)
noise = random.normal(size=n_rows) * np.where(wines["region"] == "island", 1.5, 0.4)
quality = 5.6 + 0.4 * (wines["alcohol"] - 10.4) - 1.5 * (wines["acidity"] - 0.5) + noise
is_strong = wines["alcohol"] > 10.8
train, strong = wines[~is_strong], wines[is_strong]

model = ceiba.CeibaRegressor(n_estimators=100).fit(train, quality[~is_strong])
path = ceiba.report(
    model,
    strong,
    quality[is_strong],
    "wines.html",
    train=(train, quality[~is_strong]),
    title="Wine quality",
)

# %%
# The summary comes first: what to check, with links to the details.
page = path.read_text("utf-8")
for finding in re.findall(r"<strong>(\w+)</strong>\s*<span>(.*?) <a", page):
    print(": ".join(map(html.unescape, finding)))

# %%
# The drift that the report warns of:
figure, ax = plt.subplots(figsize=(8, 3), layout="constrained")
bins = np.linspace(7, 14, 40)
for name, rows in (("training rows", train), ("judged rows", strong)):
    ax.hist(rows["alcohol"], bins, alpha=0.6, label=name)
ax.set(xlabel="alcohol", ylabel="rows")
ax.legend()
plt.show()


# %%
# The whole page:
class Page:
    """Shows a page inside another one."""

    def __init__(self, text: str) -> None:
        self.text = html.escape(text)

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 50rem; border: 1px solid #ccc"
        return f'<iframe title="The report" style="{style}" srcdoc="{self.text}"></iframe>'


Page(page)
