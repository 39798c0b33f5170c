"""Running: wiring of the concrete classes, the daemon, the demonstration."""
