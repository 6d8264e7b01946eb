"""The rule extractor's word lists and slot patterns, one module per language."""
