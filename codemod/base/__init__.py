"""What every room uses: errors, the change set, the workspace, careful reading and writing.

>>> from codemod.base.errors import did_you_mean
>>> did_you_mean("padleseg", ["PaddleSeg", "mmseg"], "See `codemod kits`.")
'Did you mean PaddleSeg?'
"""
