"""Running a kit's own training: environment, device, recipe, sample data, recorder, record.

>>> from codemod.training.run_spec import parse_modes
>>> parse_modes("dynamic,ast")
('ast',)
"""
