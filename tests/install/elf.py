"""elf.py - what an ELF file says about itself, as far as the tests here ask.

Both classes and both byte orders; nothing is trusted to be there but the header. A file
that is an archive is read as its first member that is ELF.
"""

import struct

TYPE_SHARED = 3
MACHINE_X86_64 = 62

SEGMENT_LOAD, SEGMENT_DYNAMIC, SEGMENT_INTERPRETER = 1, 2, 3
SEGMENT_STACK, SEGMENT_RELRO = 0x6474E551, 0x6474E552
EXECUTABLE, WRITABLE = 1, 2

SECTION_NOTE, SECTION_DYNAMIC_SYMBOLS = 7, 11

TAG_NEEDED, TAG_RPATH, TAG_TEXTREL, TAG_RUNPATH = 1, 15, 22, 29
TAG_BIND_NOW, TAG_FLAGS, TAG_FLAGS_1 = 24, 30, 0x6FFFFFFB
FLAG_TEXTREL, FLAG_BIND_NOW = 4, 8
FLAG_1_NOW, FLAG_1_PIE = 1, 0x08000000

PROPERTY_NOTE, X86_FEATURES = 5, 0xC0000002
IBT, SHADOW_STACK = 1, 2


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data.startswith(b"!<arch>\n"):
            self.data = first_member(self.data)
        if self.data[:4] != b"\x7fELF":
            raise ValueError(f"{path} is no ELF file")
        self.wide = self.data[4] == 2
        self.order = "<" if self.data[5] == 1 else ">"
        self.type, self.machine = self.unpack("HH", 16)
        self.segments = self.read_segments()
        self.sections = self.read_sections()
        self.dynamic = self.read_dynamic()

    def unpack(self, form, at):
        return struct.unpack_from(self.order + form, self.data, at)

    def read_segments(self):
        """(type, flags, offset, size in the file)"""
        (start,) = self.unpack("Q" if self.wide else "I", 32 if self.wide else 28)
        size, count = self.unpack("HH", 54 if self.wide else 42)
        found = []
        for i in range(count):
            at = start + i * size
            if self.wide:
                kind, flags, offset, _, _, length = self.unpack("IIQQQQ", at)
            else:
                kind, offset, _, _, length, _, flags = self.unpack("IIIIIII", at)
            found.append((kind, flags, offset, length))
        return found

    def read_sections(self):
        """(type, address, offset, size, link, size of an entry)"""
        (start,) = self.unpack("Q" if self.wide else "I", 40 if self.wide else 32)
        size, count = self.unpack("HH", 58 if self.wide else 46)
        found = []
        for i in range(count):
            fields = self.unpack("IIQQQQIIQQ" if self.wide else "IIIIIIIIII", start + i * size)
            _, kind, _, address, offset, length, link, _, _, entry = fields
            found.append((kind, address, offset, length, link, entry))
        return found

    def read_dynamic(self):
        found = []
        for kind, _, offset, size in self.segments:
            step = 16 if self.wide else 8
            for at in range(offset, offset + size, step) if kind == SEGMENT_DYNAMIC else ():
                found.append(self.unpack("QQ" if self.wide else "II", at))
        return found

    def values(self, tag):
        return [value for key, value in self.dynamic if key == tag]

    def flag(self, tag, bit):
        return any(value & bit for value in self.values(tag))

    def text(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()

    def symbols(self):
        """(name, section, address, kind) of what is imported, in section 0, and exported."""
        for kind, _, offset, size, link, entry in self.sections:
            if kind != SECTION_DYNAMIC_SYMBOLS:
                continue
            names = self.sections[link][2]
            for at in range(offset, offset + size, entry):
                if self.wide:
                    name, info, _, section, address = self.unpack("IBBHQ", at)
                else:
                    name, address, _, info, _, section = self.unpack("IIIBBH", at)
                yield self.text(names + name), section, address, info & 15

    def imports(self):
        return {name for name, section, _, _ in self.symbols() if section == 0}

    def exported_functions(self):
        """{name: first bytes of its code}"""
        found = {}
        for name, section, address, kind in self.symbols():
            if kind == 2 and 0 < section < len(self.sections):
                _, base, offset, _, _, _ = self.sections[section]
                found[name] = self.data[offset + address - base:][:16]
        return found

    def needed(self):
        """The libraries that are loaded before main."""
        links = [link for kind, _, _, _, link, _ in self.sections
                 if kind == SECTION_DYNAMIC_SYMBOLS]
        names = self.sections[links[0]][2] if links else 0
        return [self.text(names + value) for value in self.values(TAG_NEEDED)]

    def code(self):
        return b"".join(self.data[offset:offset + size]
                        for kind, flags, offset, size in self.segments
                        if kind == SEGMENT_LOAD and flags & EXECUTABLE)

    def x86_features(self):
        """The bits of the GNU property note: IBT and SHADOW_STACK."""
        align = 8 if self.wide else 4
        for kind, _, offset, size, _, _ in self.sections:
            at, end = offset, offset + size if kind == SECTION_NOTE else 0
            while at + 16 <= end:
                name, length, note = self.unpack("III", at)
                at += 12 + (name + 3) // 4 * 4
                stop = at + length
                while note == PROPERTY_NOTE and at + 8 <= stop:
                    key, width = self.unpack("II", at)
                    if key == X86_FEATURES:
                        return self.unpack("I", at + 8)[0]
                    at += 8 + (width + align - 1) // align * align
                at = (stop + 3) // 4 * 4
        return 0


def first_member(archive):
    at = 8
    while at + 60 <= len(archive):
        size = int(archive[at + 48:at + 58])
        body = archive[at + 60:at + 60 + size]
        if body.startswith(b"\x7fELF"):
            return body
        at += 60 + size + size % 2
    raise ValueError("the archive holds no ELF file")
