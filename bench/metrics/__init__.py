"""Figures from result lines. `COUNTING.md` says what each one counts; nothing here reads a dataset."""
