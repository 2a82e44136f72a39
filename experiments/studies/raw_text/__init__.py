"""What raw text brings to parsers, through word classes."""
