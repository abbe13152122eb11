"""What is shown: HTML pages that open offline, charts, and tables for pages and terminals."""
