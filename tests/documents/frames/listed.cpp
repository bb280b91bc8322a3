@block @
