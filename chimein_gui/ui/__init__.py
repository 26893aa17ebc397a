"""The user interface: the window, its panes, dialogs and widgets."""
