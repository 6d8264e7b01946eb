"""What can go wrong in a measurement. Each says what to do; none is turned into a smaller denominator."""

from __future__ import annotations


class BenchError(Exception):
    """Root of all."""


class DataMissing(BenchError):
    """A dataset's file is not where it was looked for."""


class DataChanged(BenchError):
    """A file's bytes are not those that the figures are for."""


class BrokenRun(BenchError):
    """A file of result lines is half written, holds two runs, or lacks questions."""


class SystemMissing(BenchError):
    """A system is unknown, or its own environment is not set up."""


class RivalFailed(BenchError):
    """A rival's worker died, hung, or answered what cannot be read. It is not started again on its own."""
