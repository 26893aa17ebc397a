"""Looking up the web pages that the model asks for, in rounds."""
