"""The toy as the server finds it."""

from tests.kit.tables.toy import ToyRules

RULESET = ToyRules()
