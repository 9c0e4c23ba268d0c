"""The parts of the first edition's screen."""
