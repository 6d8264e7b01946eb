"""Values and laws. Standard library only; nothing here waits, reads a clock or draws a random number."""
