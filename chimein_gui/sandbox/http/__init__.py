"""HTTP/1.1 as the model endpoint and the web pages speak it."""
