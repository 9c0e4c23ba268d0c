"""Admission: checks whether a room accepts an input now, against its table and its ruleset."""
