from __future__ import annotations

import pytest

from gist.scene.formats.describe import describe


@pytest.mark.parametrize(
    ("text", "cls", "colour", "material", "use"),
    [
        (
            "White microwave made of metal and plastic, used for heating food quickly.",
            "microwave",
            "white",
            "metal and plastic",
            "heating food quickly",
        ),
        ("Bright red kite made of nylon.", "kite", "red", "nylon", None),
        (
            "Classic clock, silver metal, used for telling time.",
            "clock",
            "silver",
            "metal",
            "telling time",
        ),
        ("Orange made of fruit, used for eating.", "orange", None, "fruit", "eating"),
        ("Orange orange made of fruit.", "orange", "orange", "fruit", None),
        ("Clear glass goblet made of glass used for wine.", "glass", "clear", "glass", "wine"),
        ("Stripes of blue and white mop made of cotton", "mop", "blue and white", "cotton", None),
        ("Wooden chair", "chair", None, "wood", None),
        ("A thing.", "thing", None, None, None),
    ],
)
def test_a_description_tells_colour_material_and_use(
    text: str, cls: str, colour: str | None, material: str | None, use: str | None
) -> None:
    told = {"description": text, "colour": colour, "material": material, "use": use}
    assert describe(text, cls) == {key: value for key, value in told.items() if value}
