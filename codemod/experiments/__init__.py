"""The kit's own code is run, and what it does is compared: parity, probe, spec, switch.

>>> from codemod.experiments.parity.experiment import usual_runs
>>> usual_runs(("ast",))
('dynamic', 'dynamic-repeat', 'ast')
"""
