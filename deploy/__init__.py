"""How Manse is released and run: changelog, archives, their checks, the container, the service."""
