"""Admission: which inputs a room takes now, by what lies on its table and by its ruleset."""
