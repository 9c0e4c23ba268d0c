"""Twin games: games that differ in secrets alone look the same to those who do not know them."""
