"""Universal Dependencies 2.5: levels of effort beside UDPipe 1, by the scorer of the CoNLL 2018 shared task."""
