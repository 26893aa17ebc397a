"""A Gemini of our own: the HTTP API that google-genai speaks, answered from a script or by a small responder."""
