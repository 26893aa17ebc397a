"""Languages that the responder speaks: words and cues of each; what it says is in the playbooks."""
