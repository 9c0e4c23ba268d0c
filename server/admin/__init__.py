"""What an operator can see and do while the server runs, over a socket of the server's machine."""
