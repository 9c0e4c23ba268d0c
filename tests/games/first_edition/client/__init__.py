"""Tests of the client of the first edition."""
