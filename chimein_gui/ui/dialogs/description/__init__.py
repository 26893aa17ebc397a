"""The description of one medium: the operator's words beside those of the model; from a message, or in a pane."""
