"""The scoreboard of default models: ``make quality``.

``halves.py``   which tables choose the default policy, and which ones confirm it
"""
