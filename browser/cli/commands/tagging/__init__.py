"""Commands that tag and judge photos, and that suggest tags and accept or reject them."""
