"""Other people's memory systems, each run by its own package in an environment of its own."""
