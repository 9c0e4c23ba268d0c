"""The host of the games: it keeps rooms, runs rules, speaks to clients."""
