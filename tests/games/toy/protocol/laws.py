"""The toy promises nothing beyond what every game does."""
