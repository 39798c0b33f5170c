"""Reports as Markdown for comments on pull requests (GitHub, GitLab): hostile text forms nothing in it."""
