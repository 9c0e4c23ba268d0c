"""Exports of a finished game: a page for browsers, records for programs, statistics."""
