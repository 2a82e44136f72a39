"""What the chapters of Nilsson (2009) measure, and their tables in the thesis' form."""
