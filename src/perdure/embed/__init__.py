"""Embedders: the packaged local model, any OpenAI-compatible endpoint, and hashing for tests."""
