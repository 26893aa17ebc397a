"""Bytes of MTProto: transports, encryption, key exchange, connections and sessions."""
