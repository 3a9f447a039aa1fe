"""The page of surprising differences: what each framework's own call gives, and what ``at`` gives."""
