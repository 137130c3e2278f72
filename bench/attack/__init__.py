"""Attacks on the tool, each with a seed and a count, each ending in one row of a table.

python -m bench.attack.faults --count 2000 --seed 1
python -m bench.attack.variants --count 2500 --seed 1
python -m bench.attack.hostile --count 100 --seed 1
python -m bench.attack.mutated_rules --count 250 --seed 1
python -m bench.programs --count 50000 --seed 1
"""
