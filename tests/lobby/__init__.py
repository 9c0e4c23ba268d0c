"""Tests of the lobby, with sessions that need no network."""
