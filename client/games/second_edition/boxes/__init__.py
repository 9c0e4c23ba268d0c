"""The boxes that are opened over a table of the second edition."""
