"""A training, step by step: ``loop.py`` is the loop, every other file one stage of it."""
