"""The edge of the verbs: what callers may pass in, and the shapes they get back."""
