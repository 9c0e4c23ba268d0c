"""Tests of a server's mails."""
