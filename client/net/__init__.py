"""The connection to a server, from TCP to what was said."""
