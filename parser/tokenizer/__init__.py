"""Raw text to sentences, tokens and words; see README.md."""

from .tokenizer import Tokenizer as Tokenizer
