"""Tellers, which put events into words: their types and registry."""
