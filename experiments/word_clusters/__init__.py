"""Word clusters as columns of one's own."""
