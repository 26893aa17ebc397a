"""What happens: asyncio services over ports, without Qt and without a vendor."""
