"""The boxes that are opened over a table of the first edition."""
