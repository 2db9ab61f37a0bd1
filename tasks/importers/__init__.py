"""Tasks of other benchmarks, read from the files of those benchmarks."""
