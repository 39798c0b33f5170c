"""The pages and the API: who may come in, and what they are shown. Served by the daemon (`driftwatch.run.web`)."""
