"""What people do at a table up to the end of its game: open, join, sit, choose, play."""
