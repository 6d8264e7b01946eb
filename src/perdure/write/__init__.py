"""The write path: capture, extract, reconcile, persist. Start at `pipeline.py`."""
