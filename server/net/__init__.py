"""The network: TLS, sessions, limits. Knows no rooms: what was said goes to an injected desk."""
