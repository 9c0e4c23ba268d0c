"""The parts of the screen that show a table of the second edition."""
