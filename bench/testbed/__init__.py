"""The generated truth test-bed: stories whose every answer is known, and what a memory made of them."""
