"""Bring dynamic-to-static training to PaddlePaddle kits, and prove that nothing else changed."""
