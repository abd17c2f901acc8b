"""Arrow tables through libpith.so, by ctypes and the C interfaces of Arrow alone.

    pith = Pith("build/libpith.so")
    text = pith.write(table, "toon")             any object with __arrow_c_stream__
    stream = pith.read("toon", text)             an object with __arrow_c_stream__
"""

import ctypes
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p


class Error(Exception):
    def __init__(self, error):
        super().__init__(error.message.decode())
        self.code = error.code.decode()


class _Error(ctypes.Structure):
    _fields_ = [
        ("status", c_int),
        ("line", c_size_t),
        ("column", c_size_t),
        ("offset", c_size_t),
        ("code", c_char_p),
        ("system", c_int),
        ("message", ctypes.c_char * 192),
        ("reserved", ctypes.c_uint64 * 4),
    ]


class _Sink(ctypes.Structure):
    _fields_ = [("write", c_void_p), ("ctx", c_void_p)]


class _Alloc(ctypes.Structure):
    _fields_ = [("resize", c_void_p), ("ctx", c_void_p), ("seed", ctypes.c_uint64)]


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("len", c_size_t),
        ("cap", c_size_t),
        ("alloc", _Alloc),
    ]


class _Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class _Plan(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("want", c_void_p),
        ("look", c_size_t),
        ("batch_rows", c_size_t),
    ]


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),  # 0: the layout of 0.2.0
        ("alloc", _Alloc),
        ("read", c_char_p),
        ("write", c_char_p),
        ("rest", c_void_p * 32),
    ]


_release = CFUNCTYPE(None, c_void_p)
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = c_void_p
_get_pointer.argtypes = [ctypes.py_object, c_char_p]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.py_object, c_char_p]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]

_malloc = ctypes.CDLL(None).malloc
_malloc.restype = c_void_p
_malloc.argtypes = [c_size_t]


class Stream:
    """A stream that is not read yet, and is read once."""

    def __init__(self, address):
        self.address = address

    def __arrow_c_stream__(self, requested_schema=None):
        # A consumer moves the struct out of the capsule; its 40 bytes stay.
        return _new_capsule(self.address, b"arrow_array_stream", None)


class Pith:
    def __init__(self, path):
        lib = ctypes.CDLL(path)
        lib.pith_sink_buffer.restype = _Sink
        lib.pith_sink_buffer.argtypes = [POINTER(_Buffer)]
        lib.pith_buffer_free.argtypes = [POINTER(_Buffer)]
        lib.pith_arrow_write.argtypes = [
            c_void_p, c_char_p, POINTER(_Options), _Sink, POINTER(_Error)]
        lib.pith_arrow_read.argtypes = [
            c_char_p, c_char_p, c_size_t, POINTER(_Plan), POINTER(_Options), c_void_p,
            POINTER(_Error)]
        lib.pith_convert.argtypes = [
            c_char_p, c_char_p, c_char_p, c_size_t, c_void_p, _Sink, POINTER(_Error)]
        self.lib = lib

    def _taken(self, status, buffer, error):
        text = ctypes.string_at(buffer.data, buffer.len) if buffer.data else b""
        self.lib.pith_buffer_free(byref(buffer))
        if status != 0:
            raise Error(error)
        return text

    def write(self, table, format, settings=""):
        """The table as a text of that format, in bytes."""
        capsule = table.__arrow_c_stream__()
        stream = _get_pointer(capsule, b"arrow_array_stream")
        buffer, error, options = _Buffer(), _Error(), _Options()
        options.write = settings.encode()
        status = self.lib.pith_arrow_write(
            stream, format.encode(), byref(options),
            self.lib.pith_sink_buffer(byref(buffer)), byref(error))
        return self._taken(status, buffer, error)

    def read(self, format, text, want=None, look=0, batch_rows=0):
        """A stream of the text; `want` has __arrow_c_schema__."""
        plan, error = _Plan(), _Error()
        plan.look, plan.batch_rows = look, batch_rows
        capsule = want.__arrow_c_schema__() if want is not None else None
        if capsule is not None:
            plan.want = _get_pointer(capsule, b"arrow_schema")
        address = _malloc(ctypes.sizeof(_Stream))
        status = self.lib.pith_arrow_read(
            format.encode(), text, len(text), byref(plan), None, address, byref(error))
        if status != 0:
            raise Error(error)
        return Stream(address)

    def convert(self, source, target, text):
        buffer, error = _Buffer(), _Error()
        status = self.lib.pith_convert(
            source.encode(), target.encode(), text, len(text), None,
            self.lib.pith_sink_buffer(byref(buffer)), byref(error))
        return self._taken(status, buffer, error)
