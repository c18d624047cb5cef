"""Benchmarks of ceiba beside its peers: `python -m benchmarks --help`."""
