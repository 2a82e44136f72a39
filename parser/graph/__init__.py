"""Trees of weighted graphs: maximum spanning trees."""
