"""Twin games: games with different secrets look the same to those who may not know them."""
