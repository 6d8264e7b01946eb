"""perdure: memory for AI agents that stays true."""

__version__ = "0.1.0"
