"""Tests of the parts that rules of several games share."""
