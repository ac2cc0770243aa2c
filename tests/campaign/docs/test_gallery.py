"""The gallery shows every sample, with pictures that are there and small."""

from PIL import Image

from docs import gallery


def test_the_page_is_what_the_samples_give() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page()


def test_every_sample_has_a_picture_and_none_is_left_over() -> None:
    assert {path.stem for path in gallery.PICTURES.glob("*.png")} == {study.name for study in gallery.samples()}


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in gallery.PICTURES.iterdir()) < 3_000_000


def test_pages_stand_side_by_side() -> None:
    sheets = [Image.new("RGB", (gallery.PAGE_WIDTH, height), (255, 255, 255)) for height in (600, 650)]
    found = gallery.beside(sheets)
    assert found.size == (2 * gallery.PAGE_WIDTH + 3 * gallery.GAP, 650 + 2 * gallery.GAP)
