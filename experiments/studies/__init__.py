"""Studies of our own questions, one folder per question."""
