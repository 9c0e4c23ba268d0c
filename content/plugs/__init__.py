"""What the content of a game offers to server and authors, and the packs found by their game."""
