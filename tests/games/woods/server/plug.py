"""Plug of the woods for the server."""

from tests.games.woods.server.rules import WoodsRules

RULESET = WoodsRules()
