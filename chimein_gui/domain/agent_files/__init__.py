"""The text of agent files: fields, problems, repairs, and changes of one field; pure."""
