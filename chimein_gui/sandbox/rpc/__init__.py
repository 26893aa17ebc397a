"""One module for each family of MTProto methods the sandbox answers."""
