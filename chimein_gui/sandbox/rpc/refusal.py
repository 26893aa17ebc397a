"""The exception with which a handler refuses a call."""


class RpcFault(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The call is answered with an RpcError of this code and message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code} {message}")
        self.code = code
        self.message = message
