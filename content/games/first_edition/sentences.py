"""
Descriptions of keys that mean the same in every class, for the reference and for editors.

A description below the field of a class takes precedence.
"""

from collections.abc import Mapping

from content.language.sentences import Sentences

SENTENCES: Mapping[str, str] = {}
"""Sentences by key, as authors write the key."""

WORDS: Mapping[str, Mapping[str, str]] = {}
"""Sentences by enumeration and word, for words without documentation."""

ALL = Sentences(SENTENCES, WORDS)
