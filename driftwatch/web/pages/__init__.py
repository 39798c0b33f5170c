"""The pages: one module each, with small pure ones beside them that make what a template shows."""
