"""Models as a web service. Waiting requests are parsed in one batch; each client receives its own answer."""
