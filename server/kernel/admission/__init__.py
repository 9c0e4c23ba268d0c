"""Admission of inputs: checks each input of a room against the room's table and ruleset."""
