"""Migrations of the tables, one file each."""
