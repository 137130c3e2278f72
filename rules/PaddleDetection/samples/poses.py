"""People with twenty-four joints in space, as stills and as the frames of one act.

Stills: images/, pose3d.json. Frames: frames/act/ with images/, a list of them in
json_results/player_0/player_0.json and the joints as corners of a body in joint_pc/player_0/.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .keypoints import spots

JOINTS = 24
# A body has these many corners, of which PaddleDetection takes the first 23 and number 37.
_CORNERS = 52
# PaddleDetection measures the side of a box in these, and corners in hundredths.
_BOX, _CORNER = 200, 100


def generate(samples: Samples) -> None:
    """One person a picture; each joint is a bright spot, and how near it is is drawn by lot."""
    stills, frames = [], []
    for number in range(samples.count):
        picture, box = samples.noise(), samples.box()
        picture.box(*box, colour_of(0))
        flat = spots(samples, picture, box, JOINTS)
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        side = max(box[2] - box[0], box[3] - box[1])
        pose = [
            ((x - middle[0]) / side, (y - middle[1]) / side, samples.random.random() - 0.5)
            for x, y in flat
        ]
        name = samples.save(number, picture, "images", "frames/act/images").rpartition("/")[2]
        stills.append(
            {
                "imageName": name,
                "bbox_center": middle,
                "bbox_scale": side / _BOX,
                "gt_keypoint_2d": [(x, y, 1) for x, y in flat],
                "pose3d": [(*place, 1) for place in pose],
            }
        )
        frames.append({"file_name": name, "width": picture.width, "height": picture.height})
        corners = [*pose, *[pose[-1]] * (_CORNERS - JOINTS)]
        lines = [" ".join(["v", *(f"{at / _CORNER:.6f}" for at in corner)]) for corner in corners]
        samples.write_lines(f"frames/act/joint_pc/player_0/{number:05d}.obj", lines)
    samples.write("pose3d.json", json.dumps({"data": stills}))
    listed = {"images": frames, "annotations": []}
    samples.write("frames/act/json_results/player_0/player_0.json", json.dumps(listed))
