"""Category encodings of a training: which one each column gets, and the encoded table."""
