"""Plug of the toy for the server."""

from tests.kit.tables.toy import ToyRules

RULESET = ToyRules()
