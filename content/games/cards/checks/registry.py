"""Registry of this game's checks by class of the checked object; sibling modules add to it."""

from content.language.checking import Checks

CHECKS = Checks()
checks = CHECKS.of
