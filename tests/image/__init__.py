"""The proof that the built image does what is said of it. Not part of the suite: `make image` runs it."""
