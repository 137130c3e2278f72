"""Running a kit's own training: environment, device, recipe, sample data, recorder, record."""
