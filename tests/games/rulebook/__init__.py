"""Rulebooks of games as data: which tests pin their rules, and whether those tests bite."""
