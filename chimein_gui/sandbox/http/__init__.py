"""An HTTP/1.1 server for the model endpoint and the web pages."""
