"""Third-party benchmarks, one package each, with optional bug compatibility."""
