"""Tests of the mails that a server writes."""
