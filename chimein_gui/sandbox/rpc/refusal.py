"""How a call is refused."""


class RpcFault(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The call is answered with an RpcError."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code} {message}")
        self.code = code
        self.message = message
