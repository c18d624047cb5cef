"""Files on disk: replaced atomically, in checksummed pages, in temporary folders."""
