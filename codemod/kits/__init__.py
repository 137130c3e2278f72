"""The kits: the catalogue, the folder of each, and how its configs are found and read.

>>> from codemod.kits.catalogue import find_kit
>>> find_kit("paddleseg").name
'PaddleSeg'
"""
