"""The editor for the text of a planned message, the reason of a rejection, or an instruction for the model."""
