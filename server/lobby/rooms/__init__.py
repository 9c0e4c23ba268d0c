"""Hosted rooms: loading, running, storing, summarising and removing them."""
