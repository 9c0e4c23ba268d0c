"""Tests of what rules of several games are made of."""
