"""What fills the terminal at one time, and what the keys do there."""
