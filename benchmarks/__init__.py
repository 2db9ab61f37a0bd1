"""Benchmarks of others: a folder for each, with the faults of what was published where asked."""
