"""The toy's table and records."""
