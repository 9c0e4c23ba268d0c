"""The terminal: the application, its output and input, and reports of failures."""
