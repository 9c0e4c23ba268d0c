"""Tables up to the end of their game: opening, joining, seats, choices, play."""
