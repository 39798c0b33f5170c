"""Configuration: the file and the few environment variables that shape a driftwatch."""
