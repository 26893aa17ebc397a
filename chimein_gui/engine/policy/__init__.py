"""The rules for a send: trust, caps, quiet hours, holds, waits imposed by the server, due times."""
