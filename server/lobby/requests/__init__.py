"""Handlers of messages: their table, the visitor who asks, budgets and replies."""
