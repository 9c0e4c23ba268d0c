"""Terminals, browsers and connections that misbehave."""
