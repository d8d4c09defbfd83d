"""What a change does to keep a check from telling what it would: the parts of `suppression_masking`.

Each part gives `Masked` places; what they hide, and so how much they matter, is judged in one place (`hidden.py`).
"""
