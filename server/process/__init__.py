"""The server process: settings, composition, life cycle and metrics."""
