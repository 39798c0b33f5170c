"""What a server is started from: how it is launched, the package it comes from, and what is known of that package."""
