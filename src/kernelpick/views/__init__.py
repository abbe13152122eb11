"""What people see of a model: attributes that tell what it thinks, a picture, a panel for notebooks."""
