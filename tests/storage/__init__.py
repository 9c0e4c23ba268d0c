"""Tests of the promises of stores."""
