"""Playbooks: what the model answers to what, as YAML files (see resources/sandbox/playbooks/README.md)."""
