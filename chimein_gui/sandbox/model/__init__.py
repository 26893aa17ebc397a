"""A simulated Gemini: the HTTP API that google-genai uses, answered from a script or by a rule-based responder."""
