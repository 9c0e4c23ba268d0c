"""Handlers of messages: their table, the visitor, budgets and replies."""
