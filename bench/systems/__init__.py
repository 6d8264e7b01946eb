"""Every system by name; `describe` says in a line what each one is."""
