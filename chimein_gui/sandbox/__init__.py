"""The sandbox: a simulated Telegram, Gemini and partners on 127.0.0.1."""
