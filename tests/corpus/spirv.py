"""Reads SPIR-V modules far enough to know their interface, and rewrites its decorations."""
import array
import dataclasses
import sys

OP_NAME, OP_MEMBER_NAME, OP_CONSTANT, OP_SPEC_CONSTANT = 5, 6, 43, 50
# Where the pointer that an instruction goes through lies among its words, the first being 0.
POINTERS = {60: 3, 61: 3, 62: 1, 63: 1, 65: 3, 66: 3, 67: 3, 68: 3, 83: 3, 228: 1}
POINTERS.update({opcode: 3 for opcode in (227, *range(229, 243))})
OP_FUNCTION_CALL = 57
OP_VARIABLE, OP_DECORATE, OP_MEMBER_DECORATE = 59, 71, 72
TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR, TYPE_MATRIX, TYPE_IMAGE = 20, 21, 22, 23, 24, 25
TYPE_SAMPLER, TYPE_SAMPLED_IMAGE, TYPE_ARRAY, TYPE_RUNTIME_ARRAY, TYPE_STRUCT = 26, 27, 28, 29, 30
TYPE_POINTER = 32
ROW_MAJOR, ARRAY_STRIDE, MATRIX_STRIDE, BUILT_IN = 4, 6, 7, 11
LOCATION, BINDING, DESCRIPTOR_SET, OFFSET, BLOCK, BUFFER_BLOCK = 30, 33, 34, 35, 2, 3
UNIFORM_CONSTANT, INPUT, UNIFORM, OUTPUT, STORAGE_BUFFER = 0, 1, 2, 3, 12


@dataclasses.dataclass
class Leaf:
    """A number, vector or matrix of a block."""
    offset: int
    kind: str  # float, int or uint
    bits: int
    rows: int
    columns: int
    matrix_stride: int
    row_major: bool

    def component_offset(self, index):
        """Where component number `index` in column-major order lies, from the block's start."""
        column, row = divmod(index, self.rows)
        if self.columns == 1:
            return self.offset + row * self.bits // 8
        if self.row_major:
            column, row = row, column
        return self.offset + column * self.matrix_stride + row * self.bits // 8


@dataclasses.dataclass
class Variable:
    id: int
    name: str
    type: int  # behind the pointer
    storage: int


class Module:
    def __init__(self, code):
        self.words = array.array("I", code)
        if sys.byteorder != "little":
            self.words.byteswap()
        self.names, self.member_names = {}, {}
        self.decorations, self.member_decorations = {}, {}
        self.places = {}  # (id, decoration) -> index of the word behind it
        self.types, self.constants, self.variables = {}, {}, []
        self.used = set()  # pointers that an instruction goes through
        place = 5
        while place < len(self.words):
            count, opcode = self.words[place] >> 16, self.words[place] & 0xffff
            self.take(opcode, place + 1, place + count)
            place += count

    def take(self, opcode, first, end):
        w = self.words
        if opcode == OP_NAME:
            self.names[w[first]] = self.string(first + 1, end)
        elif opcode == OP_MEMBER_NAME:
            self.member_names[w[first], w[first + 1]] = self.string(first + 2, end)
        elif opcode == OP_DECORATE:
            self.decorations.setdefault(w[first], {})[w[first + 1]] = list(w[first + 2:end])
            self.places[w[first], w[first + 1]] = first + 2
        elif opcode == OP_MEMBER_DECORATE:
            key = w[first], w[first + 1]
            self.member_decorations.setdefault(key, {})[w[first + 2]] = list(w[first + 3:end])
        elif TYPE_BOOL <= opcode <= TYPE_POINTER and opcode != 31:
            self.types[w[first]] = opcode, list(w[first + 1:end])
        elif opcode in (OP_CONSTANT, OP_SPEC_CONSTANT):
            self.constants[w[first + 1]] = w[first + 2]
        elif opcode == OP_VARIABLE:
            pointer = self.types[w[first]][1]
            name = self.names.get(w[first + 1], "")
            self.variables.append(Variable(w[first + 1], name, pointer[1], w[first + 2]))

        elif opcode in POINTERS:
            self.used.add(w[first - 1 + POINTERS[opcode]])
        elif opcode == OP_FUNCTION_CALL:
            self.used.update(w[first + 3:end])

    def string(self, first, end):
        return self.words[first:end].tobytes().split(b"\0", 1)[0].decode()

    def bytes(self):
        words = array.array("I", self.words)
        if sys.byteorder != "little":
            words.byteswap()
        return words.tobytes()

    def decoration(self, id_, decoration):
        """The first operand of a decoration; None if it is not there."""
        operands = self.decorations.get(id_, {}).get(decoration)
        return None if operands is None else operands[0] if operands else True

    def redecorate(self, id_, decoration, value):
        """Changes the operand of a decoration that the module has."""
        self.words[self.places[id_, decoration]] = value
        self.decorations[id_][decoration] = [value]

    def element(self, type_):
        """A type without its array dimensions, and those."""
        dimensions = []
        while self.types[type_][0] == TYPE_ARRAY:
            operands = self.types[type_][1]
            dimensions.append(self.constants[operands[1]])
            type_ = operands[0]
        return type_, dimensions

    def is_built_in(self, variable):
        """True for a built-in and for a block of built-ins."""
        type_ = self.element(variable.type)[0]
        return (BUILT_IN in self.decorations.get(variable.id, {})
                or BUILT_IN in self.member_decorations.get((type_, 0), {}))

    def locations(self, type_):
        """Locations that a variable of a type takes; 64-bit vectors of three and four take two."""
        opcode, operands = self.types[type_]
        if opcode == TYPE_ARRAY:
            return self.constants[operands[1]] * self.locations(operands[0])
        if opcode == TYPE_STRUCT:
            return sum(self.locations(member) for member in operands)
        if opcode == TYPE_MATRIX:
            return operands[1] * self.locations(operands[0])
        if opcode == TYPE_VECTOR:
            return 2 if self.types[operands[0]][1][0] == 64 and operands[1] > 2 else 1
        return 1

    def leaves(self, type_, path="", offset=0, layout=None):
        """(path, Leaf) of everything in a block, arrays element by element."""
        opcode, operands = self.types[type_]
        layout = layout or {}
        if opcode == TYPE_STRUCT:
            for index, member in enumerate(operands):
                inner = self.member_decorations.get((type_, index), {})
                name = self.member_names.get((type_, index), "")
                yield from self.leaves(member, f"{path}.{name}" if path else name,
                                       offset + inner.get(OFFSET, [0])[0], inner)
        elif opcode in (TYPE_ARRAY, TYPE_RUNTIME_ARRAY):
            stride = self.decoration(type_, ARRAY_STRIDE)
            count = self.constants[operands[1]] if opcode == TYPE_ARRAY else 0
            for index in range(count):
                yield from self.leaves(operands[0], f"{path}[{index}]", offset + index * stride, layout)
        else:
            yield path, self.leaf(type_, offset, layout)

    def leaf(self, type_, offset, layout):
        opcode, operands = self.types[type_]
        rows = columns = 1
        if opcode == TYPE_MATRIX:
            columns = operands[1]
            opcode, operands = self.types[operands[0]]
        if opcode == TYPE_VECTOR:
            rows = operands[1]
            opcode, operands = self.types[operands[0]]
        kind = "float" if opcode == TYPE_FLOAT else "int" if operands[1] else "uint"
        return Leaf(offset, kind, operands[0], rows, columns, layout.get(MATRIX_STRIDE, [0])[0],
                    ROW_MAJOR in layout)

    def size(self, type_):
        """Bytes that a block needs, without a runtime array at its end."""
        end = 0
        for _, leaf in self.leaves(type_):
            last = leaf.component_offset(leaf.rows * leaf.columns - 1)
            end = max(end, last + leaf.bits // 8)
        return max(16, (end + 15) // 16 * 16)
