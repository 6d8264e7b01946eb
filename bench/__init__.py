"""The measuring harness: datasets, systems, runs, metrics, reports. Beside the package, not in the wheel."""
