"""Models, their files, and parsing with them."""
