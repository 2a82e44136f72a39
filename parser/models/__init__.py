"""What training leaves behind: models, their file, and parsing with them."""
