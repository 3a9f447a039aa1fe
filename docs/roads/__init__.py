"""The page of roads: every public function through every compiler and export, by running them."""
