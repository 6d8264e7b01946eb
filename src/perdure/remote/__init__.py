"""What chat and embedding endpoints share: addresses, failures, one retry budget, bodies."""
