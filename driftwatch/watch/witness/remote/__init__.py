"""The parts of the HTTP forwarder: what passes, to whom, and how it is copied."""
