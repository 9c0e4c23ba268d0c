"""The network: TLS, sessions, limits. Messages go to an injected `SessionHandler`."""
