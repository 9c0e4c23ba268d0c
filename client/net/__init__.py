"""The connection to a server: transport, login, and the port that sends and receives."""
