"""What is seen of the program outside its window: desktop notifications, and the tray."""
