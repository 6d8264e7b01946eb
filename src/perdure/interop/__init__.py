"""Importers: files in the formats of others, as messages."""
