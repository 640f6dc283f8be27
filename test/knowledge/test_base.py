"""What Gist knows of classes, nouns, sets and collectives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gist.knowledge import Knowledge, default

K = default()
CLASSES = st.sampled_from(K.classes())


@pytest.mark.parametrize(
    ("words", "concept"),
    [
        ("cups", "cup"),
        ("fridge", "refrigerator"),
        ("living", "living room"),
        ("garbage can", "rubbish bin"),
        ("undefined_bin", "rubbish bin"),
        ("sofa", "couch"),
        ("Drinking_Glass", "glass"),
        ("case", "pc case"),
        ("bookshelves", "bookshelf"),
        ("goblets", "goblet"),
        ("kitchen knives", "kitchen knife"),
        ("old broken thingummy", None),
        ("snack bowl of wonder", None),
        ("", None),
    ],
)
def test_canonical(words: str, concept: str | None) -> None:
    assert K.canonical(words) == concept


@pytest.mark.parametrize(
    ("words", "concept"),
    [
        ("blue snack bowl", "snack bowl"),
        ("shiny red bowl", "bowl"),
        ("book into the shelf", "book"),
        ("toy hammer", "toy"),
        ("fake apple", "decoration"),
        ("bottle of wine", "wine"),
        ("box of toys", "box"),
        ("carton of milk", "milk"),
        ("flurble", None),
    ],
)
def test_head(words: str, concept: str | None) -> None:
    assert K.head(words) == concept


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("knife", "knives"),
        ("dining table", "dining tables"),
        ("bookshelf", "bookshelves"),
        ("glass", "glasses"),
        ("child", "children"),
        ("potato", "potatoes"),
        ("cpu", "cpus"),
        ("cherry", "cherries"),
        ("cutlery", "cutlery"),
        ("pants", "pants"),
        ("bag of rice", "bags of rice"),
        ("bus", "buses"),
        ("mouse", "mice"),
        ("toothbrush", "toothbrushes"),
    ],
)
def test_singular_and_plural(one: str, many: str) -> None:
    assert K.plural(one) == many
    assert K.singular(many) == one
    assert K.singular(one) == one


@given(CLASSES)
def test_plural_and_back(cls: str) -> None:
    assert K.singular(K.plural(cls)) == K.singular(cls)


@given(CLASSES)
def test_canonical_is_idempotent(cls: str) -> None:
    assert K.canonical(cls) == cls


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz_ -'0", max_size=30))
def test_any_words_get_an_answer(words: str) -> None:
    name = K.canonical(words)
    assert name is None or K.canonical(name) is not None
    assert K.kind(words) in {"room", "furniture", "object", "robot", "person", "group"}
    assert isinstance(K.portable(words), bool)
    assert words.strip("_ ") == "" or K.plural(words) != ""


@pytest.mark.parametrize(
    ("cls", "concept"),
    [
        ("cola can", "drink"),
        ("cola can", "drink can"),
        ("drinking_glass", "glass"),
        ("fruit_bowl", "bowl"),
        ("goblet", "drinkware"),
        ("spaniel", "dog"),
        ("metal bin", "bin"),
        ("old chair", "chair"),
        ("wine", "alcoholic drink"),
        ("sherry", "alcoholic drink"),
        ("fridge", "refrigerator"),
        ("unheard thing", "Unheard_Thing"),
        ("wine bottle", "bottle"),
        ("wine bottles", "alcoholic drink"),
        ("old_beer_bottle", "bottle"),
        ("beer can", "can"),
        ("bottle of wine", "bottle"),
        ("milk carton", "container"),
        ("water bottle", "bottle"),
        ("bread knife", "knife"),
        ("kitchen knife", "knife"),
        ("butterfly knife", "knife"),
        ("coffee table", "table"),
    ],
)
def test_is_a(cls: str, concept: str) -> None:
    assert K.is_a(cls, concept)


@pytest.mark.parametrize(
    ("cls", "concept"),
    [
        ("bowl", "fruit bowl"),
        ("cola can", "snack"),
        ("ibuprofen", "aspirin"),
        ("house key", "car key"),
        ("driver's license", "passport"),
        ("mouse", "animal"),
        ("toy hammer", "hammer"),
        ("wax fruit", "fruit"),
        ("chair", "unheard chair"),
        ("plate", "cup"),
        ("wine", "bottle"),
        ("wine", "wine bottle"),
        ("peanut butter", "butter"),
        ("egg plant", "plant"),
        ("tea bag", "bag"),
        ("dog bowl", "bowl"),
        ("toy knife", "knife"),
        ("kitchen counter", "table"),
        ("worktop", "table"),
    ],
)
def test_is_not_a(cls: str, concept: str) -> None:
    assert not K.is_a(cls, concept)


@given(CLASSES, CLASSES)
def test_is_a_agrees_with_ancestors(cls: str, concept: str) -> None:
    assert K.is_a(cls, concept) == (cls == concept or concept in K.ancestors(cls))


@given(CLASSES, CLASSES)
def test_a_compound_is_what_its_last_noun_says(first: str, last: str) -> None:
    compound = f"{first} {last}"
    head = K.taxonomy.head_noun(compound)
    if head is not None:
        assert {head, *K.taxonomy.ancestors(head)} <= {K.head(compound), *K.ancestors(compound)}


@pytest.mark.parametrize("cls", ["washing machine", "dishwasher", "dryer"])
def test_what_has_a_drum_or_a_rack_is_no_surface(cls: str) -> None:
    assert K.container(cls)
    assert not K.surface(cls)


def test_a_counter_is_a_surface() -> None:
    assert K.surface("kitchen counter")
    assert K.kind("worktop") == "furniture"


@given(CLASSES)
def test_nobody_is_carried_or_put_things_upon(cls: str) -> None:
    if K.is_a(cls, "person") or K.is_a(cls, "animal"):
        assert not (K.portable(cls) or K.surface(cls) or K.container(cls))


@pytest.mark.parametrize("words", ["baby", "my grandmother", "spaniel", "hamster", "guests"])
def test_living_beings_are_no_things(words: str) -> None:
    assert not (K.portable(words) or K.surface(words) or K.container(words))


@pytest.mark.parametrize("word", ["drinkware", "clothes", "shoes", "knives", "glasses", "mice"])
def test_a_plural_stays_as_it_is(word: str) -> None:
    assert K.plural(word) == word


@given(CLASSES)
def test_plural_is_idempotent(cls: str) -> None:
    assert K.plural(K.plural(cls)) == K.plural(cls)


@pytest.mark.parametrize("state", ["rotting", "mouldy", "burnt", "broken"])
@pytest.mark.parametrize(
    ("collective", "cls"),
    [("food", "bread"), ("fruit", "apple"), ("snacks", "cookie"), ("vegetables", "carrot"),
     ("sweets", "candy"), ("drinks", "milk"), ("groceries", "rice"), ("perishables", "yogurt")],
)  # fmt: skip
def test_spoiled_food_is_no_food(collective: str, cls: str, state: str) -> None:
    assert K.is_member(collective, cls)
    assert not K.is_member(collective, cls, frozenset({state}))


def test_ancestors_come_nearest_first() -> None:
    above = K.ancestors("fruit bowl")
    assert above.index("bowl") < above.index("crockery") < above.index("artifact")


def test_wider_concepts_keep_the_purpose() -> None:
    assert K.wider("teacup") == ("cup", "drinkware")
    assert K.wider("apple") == ("fruit",)
    assert K.wider("umbrella") == ()


@given(CLASSES)
def test_wider_concepts_are_ancestors_with_a_shared_role(cls: str) -> None:
    for above in K.wider(cls):
        assert K.is_a(cls, above)
        assert K.roles(cls) & K.roles(above)


@pytest.mark.parametrize(
    ("cls", "kind"),
    [
        ("living room", "room"),
        ("washing machine", "furniture"),
        ("armoire", "furniture"),
        ("kite", "object"),
        ("grandmother", "person"),
        ("tiago robot", "robot"),
        ("toys", "group"),
        ("groceries", "group"),
        ("xyzzy", "object"),
    ],
)
def test_kind(cls: str, kind: str) -> None:
    assert K.kind(cls) == kind


def test_abilities() -> None:
    assert K.portable("cup")
    assert not K.portable("wardrobe")
    assert not K.portable("tree")
    assert K.surface("dining table")
    assert not K.surface("apple")
    assert K.container("toy_box")
    assert K.openable("fridge")
    assert not K.openable("bookshelf")
    assert K.pushable("desk")
    assert not K.pushable("kitchen sink")
    assert "kitchen" in K.usual_rooms("plate")


def test_food_and_drink() -> None:
    assert K.edible("apple")
    assert not K.edible("apple", frozenset({"rotting"}))
    assert not K.edible("cola can", frozenset({"empty"}))
    assert not K.edible("soap")
    assert K.alcoholic("red wine")
    assert not K.alcoholic("juice")


def test_place_setting_for_each_person() -> None:
    members = {member.cls: member for member in K.members("place setting")}
    assert {"plate", "fork", "knife", "glass"} <= {m for m, x in members.items() if not x.optional}
    assert members["plate"].per_person == 1
    assert members["napkin"].optional


def test_a_working_pc_needs_more_than_its_core() -> None:
    core = {m.cls for m in K.members("PC parts") if not m.optional}
    working = {m.cls for m in K.members("working desktop PC") if not m.optional}
    assert core == {"motherboard", "cpu", "ram", "gpu", "psu", "pc case"}
    assert working - core == {"monitor", "keyboard", "mouse"}
    assert K.members("no such set") == ()


@pytest.mark.parametrize(
    ("collective", "cls", "states", "member"),
    [
        ("rubbish", "banana_peel", (), True),
        ("trash", "glass bottle", ("empty",), True),
        ("trash", "glass bottle", ("full",), False),
        ("rubbish", "apple", ("rotting",), True),
        ("rubbish", "apple", (), False),
        ("rubbish", "cola can", (), True),
        ("rubbish", "cola can", ("full",), False),
        ("rubbish", "rubbish bin", (), False),
        ("rubbish", "water bottle", ("empty",), False),
        ("rubbish", "medicine", ("empty",), False),
        ("clothes", "shirt", ("dirty",), True),
        ("clothes", "plate", ("dirty",), False),
        ("laundry", "towel", ("used",), True),
        ("toys", "kite", (), True),
        ("groceries", "soap", (), False),
        ("groceries", "bread", (), True),
        ("dishes", "pan", ("dirty",), True),
        ("snacks", "chips", (), True),
        ("fruit", "banana peel", (), False),
        ("no collective", "apple", (), False),
    ],
)
def test_collectives(collective: str, cls: str, states: tuple[str, ...], member: bool) -> None:
    assert K.is_member(collective, cls, frozenset(states)) is member


def test_doubt_says_what_was_assumed() -> None:
    assert K.doubt("rubbish", "cola can") is not None
    assert K.doubt("rubbish", "banana peel") is None


@pytest.mark.parametrize(
    ("cls", "states", "attributes", "first"),
    [
        ("cola can", (), {}, "metal bin"),
        ("empty_glass_bottle", (), {}, "glass bin"),
        ("bottle", ("empty",), {"material": "plastic"}, "plastic bin"),
        ("banana_peel", (), {}, "organic bin"),
        ("apple", ("rotting",), {}, "organic bin"),
        ("tuna can", ("empty",), {}, "metal bin"),
        ("newspaper", (), {}, "paper bin"),
        ("drinking glass", ("broken",), {}, "rubbish bin"),
        ("battery", (), {}, "battery bin"),
        ("gadgetry", (), {}, "rubbish bin"),
    ],
)
def test_recycling(
    cls: str, states: tuple[str, ...], attributes: dict[str, str], first: str
) -> None:
    assert K.recycling_bin(cls, frozenset(states), attributes)[0] == first


def test_nothing_dangerous_goes_into_a_household_bin() -> None:
    assert K.recycling_bin("pills") == ()
    assert K.recycling_bin("gasoline") == ()


def test_class_words_name_the_material_before_the_attributes() -> None:
    assert K.materials("glass bottle", {"material": "plastic"})[0] == "glass"
    assert K.materials("bottle", {"material": "Recycled plastic, steel"}) == ("plastic", "metal")
    assert K.materials("cola can") == ("metal",)


@pytest.mark.parametrize(
    ("words", "tags"),
    [
        ("Bring 4 kid snacks to table_2", {"children"}),
        ("snacks for my daughter's party", {"children"}),
        ("something for the toddler", {"children", "toddler"}),
        ("a gluten-free lunch for guests", {"allergy:gluten", "guest"}),
        ("a vegan dinner", {"vegan", "vegetarian"}),
        ("bring the kite to the kitchen", set()),
        ("category of boyish things", set()),
    ],
)
def test_context_of(words: str, tags: set[str]) -> None:
    assert K.context_of(words) == tags


def test_opposites() -> None:
    assert K.opposite("dirty") == "clean"
    assert K.opposite("purple") is None


def test_default_is_shared() -> None:
    assert default() is default()
    assert isinstance(default(), Knowledge)
