"""Reads the data inside a pickle without ever running what the pickle says.

An interpreter for the part of the pickle language that holds plain containers, texts, numbers and
numpy arrays. Arrays are decoded here from their bytes; numpy itself is never called. Whatever
else a pickle asks for (any other function, class or opcode) is refused.
"""

from __future__ import annotations

import math
import pickletools
import struct
from typing import Any

from gist.errors import BadInput

_LITERALS = frozenset(
    {
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "BINUNICODE8"),
        *("SHORT_BINUNICODE", "BINBYTES", "BINBYTES8", "SHORT_BINBYTES", "BYTEARRAY8"),
    }
)
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_NUMPY_CORE = ("numpy.core.multiarray", "numpy._core.multiarray")
_GLOBALS = {
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): "dtype",
    ("_codecs", "encode"): "encode",
    ("numpy.core.numeric", "_frombuffer"): "frombuffer",
    ("numpy._core.numeric", "_frombuffer"): "frombuffer",
    **{(module, "_reconstruct"): "reconstruct" for module in _NUMPY_CORE},
    **{(module, "scalar"): "scalar" for module in _NUMPY_CORE},
}
_FORMATS = {
    "f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?",
}  # fmt: skip


class Refused(BadInput):
    """The pickle asks for something that is not data."""


class Array:
    """A numpy array's type, shape and bytes, decoded on demand."""

    def __init__(self) -> None:
        self.dtype = ""
        self.order = "<"
        self.shape: tuple[int, ...] = ()
        self.content: bytes | list[Any] = b""

    def setstate(self, state: Any) -> None:
        """Take the state (version, shape, dtype, fortran, content) of ndarray.__setstate__."""
        _, shape, dtype, _, content = state
        self.fill(content, dtype, shape)

    def fill(self, content: Any, dtype: Any, shape: Any) -> None:
        """Take the content with its type and shape."""
        if isinstance(content, str):
            content = content.encode("latin-1")
        if not isinstance(dtype, _Dtype) or not isinstance(content, (bytes, bytearray, list)):
            raise ValueError("an array without a type or content")
        self.dtype, self.order = dtype.name, dtype.order
        self.shape = tuple(int(side) for side in shape)
        self.content = content if isinstance(content, list) else bytes(content)

    def values(self) -> list[Any]:
        """Return the elements in memory order; raises ValueError when the bytes do not fit."""
        if isinstance(self.content, list):
            return self.content
        code = _FORMATS.get(self.dtype)
        if code is None:
            raise ValueError(f"arrays of type {self.dtype!r} are not read")
        count = math.prod(self.shape)
        if count < 0 or count * struct.calcsize(code) != len(self.content):
            raise ValueError(f"an array of shape {self.shape} has {len(self.content)} bytes")
        return list(struct.unpack(f"{self.order}{count}{code}", self.content))


class _Dtype:
    def __init__(self, name: Any) -> None:
        self.name = str(name)
        self.order = "<"
        if self.name[:1] in "<>|=":
            self.order = ">" if self.name[0] == ">" else "<"
            self.name = self.name[1:]

    def setstate(self, state: Any) -> None:
        self.order = ">" if state[1] == ">" else "<"


class _Global:
    def __init__(self, role: str) -> None:
        self.role = role

    def call(self, args: tuple[Any, ...]) -> Any:
        if self.role == "reconstruct":
            return Array()
        if self.role == "dtype":
            return _Dtype(args[0])
        if self.role == "encode":
            return args[0].encode("latin-1")
        array = Array()
        if self.role == "scalar":
            array.fill(args[1], args[0], ())
            return array.values()[0]
        if self.role == "frombuffer":
            array.fill(args[0], args[1], args[2])
            return array
        raise Refused("a pickle that makes bare arrays is not read")


def load(data: bytes) -> Any:
    """Return the data in a pickle: dict, list, tuple, text, bytes, number, bool, None or Array.

    Raises Refused for a pickle that would run code, BadInput for one that is broken.
    """
    try:
        return _Machine().run(data)
    except BadInput:
        raise
    except Exception as error:  # a broken pickle fails in any way it likes
        raise BadInput(f"broken pickle: {type(error).__name__}: {error}") from None


class _Machine:
    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}

    def run(self, data: bytes) -> Any:
        stack, memo = self.stack, self.memo
        argument: Any
        for opcode, argument, _ in pickletools.genops(data):
            name = opcode.name
            if name == "MEMOIZE":
                memo[len(memo)] = stack[-1]
            elif name in ("BINGET", "LONG_BINGET", "GET"):
                stack.append(memo[argument])
            elif name in _LITERALS:
                stack.append(argument)
            elif name == "MARK":
                self.marks.append(len(stack))
            elif name == "STOP":
                return stack.pop()
            else:
                self.step(name, argument)
        raise ValueError("it does not end")

    def step(self, name: str, argument: Any) -> None:
        stack = self.stack
        if name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name.startswith("EMPTY_") and name[6:] in ("DICT", "LIST", "TUPLE"):
            stack.append({"DICT": dict, "LIST": list, "TUPLE": tuple}[name[6:]]())
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            stack.append(tuple(self.take(int(name[5:]))))
        elif name in ("TUPLE", "LIST"):
            items = self.take_marked()
            stack.append(tuple(items) if name == "TUPLE" else items)
        elif name == "DICT":
            items = self.take_marked()
            stack.append({})
            self.set_items(items)
        elif name in ("APPEND", "APPENDS"):
            items = self.take(1) if name == "APPEND" else self.take_marked()
            _checked(stack[-1], list).extend(items)
        elif name in ("SETITEM", "SETITEMS"):
            self.set_items(self.take(2) if name == "SETITEM" else self.take_marked())
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            path = tuple(argument.split(" ", 1)) if name == "GLOBAL" else tuple(self.take(2))
            stack.append(_global(path))
        elif name == "REDUCE":
            function, arguments = self.take(2)
            stack.append(_checked(function, _Global).call(_checked(arguments, tuple)))
        elif name == "BUILD":
            (state,) = self.take(1)
            _checked(stack[-1], (Array, _Dtype)).setstate(state)
        elif name in ("BINPUT", "LONG_BINPUT", "PUT"):
            self.memo[argument] = stack[-1]
        elif name not in ("PROTO", "FRAME"):
            raise Refused(f"the pickle uses {name}, which plain data does not need")

    def take(self, count: int) -> list[Any]:
        items = self.stack[-count:]
        if len(items) < count:
            raise ValueError("it takes more than it has")
        del self.stack[-count:]
        return items

    def take_marked(self) -> list[Any]:
        start = self.marks.pop()
        items = self.stack[start:]
        del self.stack[start:]
        return items

    def set_items(self, items: list[Any]) -> None:
        target = _checked(self.stack[-1], dict)
        for key, value in zip(items[::2], items[1::2], strict=True):
            target[_checked(key, (str, int, bytes))] = value


def _checked(value: Any, kind: type[Any] | tuple[type[Any], ...]) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"a {type(value).__name__} stands where it cannot")
    return value


def _global(path: tuple[Any, ...]) -> _Global:
    role = _GLOBALS.get((str(path[0]), str(path[-1])))
    if role is None:
        raise Refused(
            f"refused: the file asks to run '{path[0]}.{path[-1]}'; "
            "a scene may only hold numbers, texts and arrays"
        )
    return _Global(role)
