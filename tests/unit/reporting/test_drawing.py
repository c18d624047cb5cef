"""Pictures as data URIs."""

from __future__ import annotations

import base64

from matplotlib import pyplot as plt

from ceiba.reporting.drawing import drawn


def line(ax):
    ax.plot([0, 1], [0, 1])
    ax.set_title("<title>")


def test_a_picture_is_an_image_without_scripts_and_links():
    before = plt.get_fignums()
    picture = drawn(line, "a line", "caption")
    assert plt.get_fignums() == before
    head, _, data = picture.source.partition(",")
    assert head == "data:image/svg+xml;base64"
    text = base64.b64decode(data).decode()
    assert "<script" not in text
    assert 'href="http' not in text
    assert (picture.width, picture.height) == (442, 317)


def test_equal_pictures_are_equal_bytes():
    assert drawn(line, "", "") == drawn(line, "", "")
