"""The toy's rules."""
