"""Prompts as code: one Markdown file each, with its name, version, inputs and reply schema."""
