"""Replies of a model: their grammar, their faults, and the splitting of long texts into messages."""
