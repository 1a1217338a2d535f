"""Commands that teach, and those that suggest tags and settle suggestions."""
