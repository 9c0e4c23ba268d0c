"""Shared parts of all tests: players, tables, servers, terminals, stores."""
