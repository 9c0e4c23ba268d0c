"""The toy as the server finds it."""

from tests.kernel.toy import ToyRules

RULESET = ToyRules()
