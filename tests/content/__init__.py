"""Tests of packs: reading, checking and linting them."""
