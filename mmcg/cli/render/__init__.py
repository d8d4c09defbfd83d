"""Answers as text and drawings.

Names come from repositories nobody vouches for: everything printed is made harmless.
"""
