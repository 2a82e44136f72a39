"""Sentences of other libraries: conversion to and from lists, conllu, pandas, spaCy and NLTK."""
