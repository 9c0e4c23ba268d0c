"""Whole games of the second edition, from start to end, on the kernel."""
