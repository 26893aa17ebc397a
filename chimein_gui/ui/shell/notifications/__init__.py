"""Desktop notifications, and the icon in the system tray."""
