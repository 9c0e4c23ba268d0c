"""The rules of the first edition, one module for each chapter."""
