"""Models as a service: requests are parsed in one batch, and each client gets its own answer."""
