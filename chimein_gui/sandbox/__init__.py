"""An outside in a box: a Telegram, a Gemini and partners on 127.0.0.1."""
