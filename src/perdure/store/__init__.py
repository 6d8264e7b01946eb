"""Stores: one folder an engine, all held to `perdure.testing.StoreContract`."""
