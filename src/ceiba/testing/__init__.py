"""Tools to test ceiba, and code that builds on it.

``reference``
    A slow, plain grower and predictor in numpy: what the engine must agree with.
``growth``, ``trees``, ``gains``, ``columns``, ``rules``, ``rounding``, ``candidates``
    Its parts: how a tree grows, what it is while it grows, what splits gain, which columns are
    drawn, constraints and pruning, gradients as integers, and the candidates of approx.
``samples``
    Which rows a tree is grown on: every kind of sample, row by row.
``residuals``
    Leaves that are medians, quantiles and Huber minima, and predictions of several quantiles.
``dropped``
    Which trees DART drops, and what trees count.
``target_statistics``
    What the target is on average where a level stands, one row after the other.
``strategies``
    Hypothesis strategies for tables, weights, plans and whole trainings (needs hypothesis).
``forests``, ``forest_strategies``
    Random forests as plain arrays, with thresholds and sets of levels, and strategies for them.
``targets``
    Example targets for every objective.
"""
