"""An independent, naive statement of the rules, against which the real code is tested. It imports nothing from it."""
