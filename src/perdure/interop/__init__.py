"""Importers: files in the formats of others, as conversations of plain messages."""
