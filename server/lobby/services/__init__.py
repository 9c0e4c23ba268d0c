"""What all of the lobby is given or shares: store, clock, content; turns and timers."""
