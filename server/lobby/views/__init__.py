"""From `cut` to what is sent: who is shown a room, how late, in which messages and words."""
