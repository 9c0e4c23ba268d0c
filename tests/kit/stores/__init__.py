"""Stores, and disks that fail."""
