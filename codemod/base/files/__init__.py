"""Files and folders: read with care, written whole or not at all."""
