"""What tests of perdure, and of code that uses it, need: shipped, typed, documented."""
