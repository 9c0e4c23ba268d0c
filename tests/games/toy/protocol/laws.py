"""The toy promises nothing beyond what every game shares; an audit says so."""
