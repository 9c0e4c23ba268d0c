"""The toy's content."""
