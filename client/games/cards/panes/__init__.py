"""The parts of the card game's screen."""
