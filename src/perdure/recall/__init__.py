"""The read path: plan, four signals, fuse, rank, pack. Start at `pipeline.py`."""
