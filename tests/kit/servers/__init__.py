"""Servers in memory and on loopback, with their clients."""
