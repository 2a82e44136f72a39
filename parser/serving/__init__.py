"""Models as a service: what clients send is parsed in one batch, and each gets its own answer."""
