"""Web pages: fetched from checked addresses only, and read in a process of their own (port `PageFetcher`)."""
