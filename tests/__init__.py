"""Tests of Manse."""
