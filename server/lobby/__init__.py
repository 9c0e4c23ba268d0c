"""The lobby: tables that are opened, joined, followed and played by sessions."""
