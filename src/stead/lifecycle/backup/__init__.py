"""Backups: one file, encrypted subject by subject."""
