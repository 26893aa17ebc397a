"""What rules say of a send: trust, caps, quiet hours, holds, waits that the server asked for, due times."""
