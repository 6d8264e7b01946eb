"""The verbs in groups: writing, changing, reading, care. `perdure.engine` puts them together."""
