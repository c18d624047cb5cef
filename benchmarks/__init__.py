"""Benchmarks of ceiba and other libraries: `python -m benchmarks --help`."""
