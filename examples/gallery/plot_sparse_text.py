"""
Sparse text
===========

`fit` accepts a scipy sparse matrix of word counts. Memory grows with the nonzero entries only.
Here 3,000 short texts about two topics are generated, and the model finds the words that separate
them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import train_test_split

from ceiba import CeibaClassifier

random = np.random.default_rng(0)
common = [f"word{i}" for i in range(3000)]
words = {
    "sport": ["match", "goal", "team", "season", "coach", "league", "score", "win"],
    "science": ["cell", "energy", "theory", "data", "star", "protein", "orbit", "sample"],
}
topics = random.choice(list(words), 3000)
texts = [
    " ".join([*random.choice(common, 25), *random.choice(words[topic], random.integers(0, 4))])
    for topic in topics
]
vectorizer = CountVectorizer()
X = vectorizer.fit_transform(texts)
X_train, X_test, y_train, y_test = train_test_split(X, topics, random_state=0)
filled = X.nnz / (X.shape[0] * X.shape[1])
print(f"{X.shape[0]} texts, {X.shape[1]} words, {filled:.2%} of the entries are not zero")

model = CeibaClassifier(n_estimators=60, min_samples_leaf=5).fit(X_train, y_train)
print(f"test accuracy {model.score(X_test, y_test):.3f}")

# %%
# The words with the largest gain are those of the two topics:

gains = model.feature_importances_
best = np.argsort(-gains)[:16]
names = vectorizer.get_feature_names_out()[best]
figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
color_of = {
    word: color for topic, color in zip(words, ("C0", "C1"), strict=True) for word in words[topic]
}
colors = [color_of.get(name, "0.6") for name in names]
ax.barh(names[::-1], gains[best][::-1], color=colors[::-1])
ax.set(xlabel="share of the gain", title="blue: sport, orange: science")
plt.show()
