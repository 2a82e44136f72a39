"""Segmentation of raw text: confusions, and their effect on LAS; see README.md."""
