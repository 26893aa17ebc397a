"""The program's log for the Log pane: its newest lines, a filter, and what each line leads to."""
