"""The lobby: tables opened, joined, played and left, with sessions that need no network."""
