"""The measuring harness: datasets, systems, runs, metrics and reports. Beside the package, not in the wheel."""
