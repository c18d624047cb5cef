"""Tools to test ceiba, and code that builds on it.

``reference``
    A slow, plain grower and predictor in numpy: what the engine must agree with.
``growth``, ``rounding``, ``candidates``
    Its parts: how a tree grows, gradients as integers, and the candidates of approx.
``residuals``
    Leaves that are medians, quantiles and Huber minima, and predictions of several quantiles.
``strategies``
    Hypothesis strategies for tables, weights, plans and whole trainings (needs hypothesis).
``forests``
    Random forests as plain arrays.
``targets``
    Example targets for every objective.
"""
