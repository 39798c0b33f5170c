"""Reports as one HTML file: no script, nothing loaded from anywhere, readable on a phone, in the dark and on paper."""
