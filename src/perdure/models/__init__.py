"""Chat models behind one question-and-answer port, and the one parser of their replies."""
