"""Handlers of MTProto methods, one module for each family of methods."""
