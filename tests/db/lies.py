#!/usr/bin/env python3
"""Runs `pith query` against servers that lie.

    usage: tests/db/lies.py PITH postgres|mariadb [NAME]

A false server listens on the loopback interface, speaks the database's protocol as far as
its lie needs, and then breaks it. Whatever it does, pith must end within its deadline, say
what the server did wrong, and leave neither a file nor a crash. Where this build of pith
lacks the database, the exit status is 77: skipped. NAME runs the lies with that in their
name and prints what pith said.

A lie is an entry of a table: a name, what it changes of the honest server below, the word
of the error, and a part of its sentence.
"""

import concurrent.futures
import contextlib
import hashlib
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

SKIPPED = 77
SECRET = "hunter2-very-secret"
DEADLINE = 2        # seconds that pith is given to connect, and for the statement
PATIENCE = 30       # seconds after which it is said to hang
SQL = "SELECT 1 AS a, 'x' AS b"
ESCAPES = "\x1b[31mred\x1b]8;;http://x\x07\x9b31m\u202edesrever"


class Gone(Exception):
    """The client has closed its end."""


class Peer:
    """One connection, seen from the server."""

    def __init__(self, connection, server):
        self.socket = connection
        self.server = server

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as why:
            raise Gone from why

    def flood(self, data):
        """Sends the same again and again, for as long as it is taken."""
        block = data * max(1, 65536 // len(data))
        while not self.server.closing.is_set():
            self.send(block)

    def drip(self, data):
        """A byte now and then."""
        for byte in data:
            if self.server.closing.wait(0.25):
                raise Gone
            self.send(bytes([byte]))
        self.wait()

    def read(self, size):
        data = b""
        while len(data) < size:
            try:
                piece = self.socket.recv(size - len(data))
            except OSError as why:
                raise Gone from why
            if not piece:
                raise Gone
            self.server.seen.append(piece)
            data += piece
        return data

    def wait(self):
        """Silence, until the client goes."""
        while not self.server.closing.is_set():
            self.read(1)
        raise Gone

    def start_tls(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server.certificate, self.server.key)
        try:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        except OSError as why:
            raise Gone from why


class Server:
    """Listens, and lets `talk` speak to whoever comes."""

    def __init__(self, talk, certificate=None):
        self.talk = talk
        self.certificate, self.key = certificate or (None, None)
        self.seen = []
        self.broken = None
        self.closing = threading.Event()
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(16)
        self.listener.settimeout(0.2)
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.closing.is_set():
            with contextlib.suppress(socket.timeout, OSError):
                connection, _ = self.listener.accept()
                connection.settimeout(PATIENCE)
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        peer = Peer(connection, self)
        try:
            self.talk(peer)
        except (Gone, OSError):
            pass
        except Exception as why:  # pylint: disable=broad-except
            self.broken = why
        finally:
            with contextlib.suppress(OSError):
                peer.socket.close()

    def close(self):
        self.closing.set()
        self.thread.join()
        self.listener.close()


class Honest:
    """An honest server, each part of which a lie may replace: bytes, or a function that is
    given the peer."""

    PARTS = {}

    def __init__(self, **changed):
        self.parts = {**self.PARTS, **changed}

    def say(self, peer, part):
        what = self.parts[part]
        if callable(what):
            what(peer)
        else:
            peer.send(what)


# ----------------------------------------------------------------------------- PostgreSQL

def message(kind, body=b"", length=None):
    """A message; `length` is what it claims to have, itself included."""
    return kind + struct.pack("!i", len(body) + 4 if length is None else length) + body


def text(value):
    return (value if isinstance(value, bytes) else value.encode()) + b"\0"


def auth(number, more=b""):
    return message(b"R", struct.pack("!i", number) + more)


def column(name, oid=25, form=0):
    return text(name) + struct.pack("!ihihih", 0, 0, oid, -1, -1, form)


def description(*columns, count=None):
    return message(b"T", struct.pack("!H", len(columns) if count is None else count) +
                   b"".join(columns))


def row(*cells, count=None):
    body = struct.pack("!H", len(cells) if count is None else count)
    for cell in cells:
        if isinstance(cell, tuple):  # a length, and what is there of it
            body += struct.pack("!i", cell[0]) + cell[1]
        elif cell is None:
            body += struct.pack("!i", -1)
        else:
            body += struct.pack("!i", len(cell)) + cell
    return message(b"D", body)


def report(kind, sentence, state="XX000"):
    return message(kind, b"S" + text("ERROR") + b"C" + text(state) + b"M" + text(sentence) +
                   b"\0")


COMPLETE = message(b"C", text("SELECT 1"))
READY = message(b"Z", b"I")
COLUMNS = description(column("a", 23), column("b"))
ROW = row(b"1", b"x")
GREETED = (auth(0) + message(b"S", text("server_version") + text("15.0")) +
           message(b"S", text("client_encoding") + text("UTF8")) +
           message(b"S", text("standard_conforming_strings") + text("on")) +
           message(b"K", struct.pack("!ii", 7, 7)) + READY)


class Postgres(Honest):
    """One that speaks PostgreSQL's protocol."""

    PARTS = {
        "tls": b"N",
        "login": GREETED,
        "simple": message(b"C", text("SET")) + READY,
        "prepare": message(b"1") + READY,
        "describe": message(b"t", struct.pack("!h", 0)) + COLUMNS + READY,
        "execute": (message(b"1") + message(b"2") + COLUMNS + ROW + COMPLETE + READY),
    }

    def __call__(self, peer):
        if "connect" in self.parts:
            self.say(peer, "connect")
        while True:
            size = struct.unpack("!i", peer.read(4))[0]
            body = peer.read(size - 4)
            code = struct.unpack("!i", body[:4])[0]
            if code == 80877102:  # a request to cancel
                self.parts.get("cancel", lambda _: None)(peer)
                return
            if code not in (80877103, 80877104):
                break
            self.say(peer, "tls")
        self.say(peer, "login")
        kinds = b""
        while True:
            kind = peer.read(1)
            peer.read(struct.unpack("!i", peer.read(4))[0] - 4)
            kinds += kind
            if kind == b"X":
                return
            if kind == b"Q":
                self.say(peer, "simple")
                kinds = b""
            elif kind == b"S":
                self.say(peer, "execute" if b"E" in kinds
                         else "describe" if b"D" in kinds else "prepare")
                kinds = b""


def executed(*parts):
    """What follows a statement: the columns as described, then these."""
    return message(b"1") + message(b"2") + COLUMNS + b"".join(parts)


def then_silence(*data):
    def lie(peer):
        for one in data:
            peer.send(one)
        peer.wait()
    return lie


def then_flood(first, again):
    def lie(peer):
        peer.send(first)
        peer.flood(again)
    return lie


def flood_and_read(first, again):
    """Floods, and takes whatever is said meanwhile."""
    def lie(peer):
        def take():
            with contextlib.suppress(Gone):
                peer.wait()
        threading.Thread(target=take, daemon=True).start()
        peer.send(first)
        peer.flood(again)
    return lie


def drip(data):
    return lambda peer: peer.drip(data)


def password_then(answer):
    """Reads what the client gives for a password, and lets it in."""
    def lie(peer):
        peer.send(answer)
        peer.read(1)
        peer.read(struct.unpack("!i", peer.read(4))[0] - 4)
        peer.send(GREETED)
    return lie


def tls_with(after):
    def lie(peer):
        peer.send(b"S")
        after(peer)
    return lie


def many_columns(count, oid=25):
    return description(*[column(f"c{i}", oid) for i in range(count)])


def described(columns):
    return message(b"t", struct.pack("!h", 0)) + columns + READY


def both(columns, *rows):
    """The same columns before and when the statement runs."""
    return {"describe": described(columns),
            "execute": message(b"1") + message(b"2") + columns + b"".join(rows) + COMPLETE +
                       READY}


SASL = auth(10, text("SCRAM-SHA-256") + b"\0")
COPY = struct.pack("!bh", 0, 0)

# libpq itself forgets the memory of a description when a copy follows it.
LEAKS = {"leaks": "libpq.so"}

# A spelling of the loopback address that is not taken for this machine.
FAR = {"host": "127.1"}

# Signatures and keys take their time on a busy machine.
SLOW = {"seconds": 10}

# name, what is changed, the word, a part of the sentence
POSTGRES_LIES = [
    # Before anybody knows who is there.
    ("silence after connect", {"connect": then_silence()}, "connect_failed", "2 seconds"),
    ("closed after connect", {"connect": lambda peer: peer.socket.close()},
     "connect_failed", "closed the connection"),
    ("garbage for a greeting", {"login": b"HTTP/1.1 400 Bad Request\r\n\r\n"},
     "connect_failed",
     "something else"),
    ("garbage without end", {"login": then_flood(b"", b"\xff\xfe garbage")},
     "connect_failed",
     "something else"),
    ("drips while logging in", {"login": drip(GREETED * 9)}, "connect_failed", "2 seconds"),
    ("silence after authentication", {"login": then_silence(auth(0))}, "connect_failed",
     "2 seconds"),
    ("a long message while logging in", {"login": then_silence(message(b"R", b"", 1 << 30))},
     "connect_failed",
     "something else"),
    ("a negative length while logging in", {"login": then_silence(message(b"R", b"", -2))},
     "connect_failed",
     "something else"),
    ("an unknown way to authenticate", {"login": auth(99)}, "connect_failed", "99"),
    ("notices without end while logging in",
     {"login": then_flood(b"", report(b"N", "wait"))}, "connect_failed", "received N"),
    ("notices without end after the login",
     {"login": then_flood(auth(0), report(b"N", ESCAPES))}, "connect_failed", "2 seconds"),
    ("authenticated again and again", {"login": flood_and_read(b"", auth(0))},
     "connect_failed",
     "unexpected response"),
    ("an error with escapes", {"login": report(b"E", ESCAPES, "28000")}, "connect_failed",
     "red"),
    # Passwords.
    ("a password in clear text", {"login": password_then(auth(3))}, "connect_failed",
     "clear text"),
    ("a password by MD5", {"login": password_then(auth(5, b"salt"))}, "connect_failed",
     "MD5"),
    ("a password in clear text after SCRAM", {"login": password_then(SASL + auth(3))},
     "connect_failed", "clear text"),
    ("a password in clear text after notices",
     {"login": password_then(report(b"N", "x") * 3 + auth(3))}, "connect_failed",
     "clear text"),
    ("SCRAM without a mechanism", {"login": auth(10, b"\0")}, "connect_failed",
     "SASL"),
    ("SCRAM cut short", {"login": password_then(SASL + auth(12, b"v=nothing"))},
     "connect_failed",
     "malformed SCRAM"),
    ("SCRAM that proves nothing", {"login": then_silence(SASL, auth(11, b"r=x,s=eA==,i=1"))},
     "connect_failed",
     "nonce mismatch"),
    # TLS.
    ("TLS refused", {"url": "sslmode=require"}, "connect_failed", "SSL"),
    ("garbage for TLS", {"url": "sslmode=require", "tls": b"?"}, "connect_failed",
     "invalid response to SSL"),
    ("garbage after TLS", {"url": "sslmode=require", "tls": tls_with(
        lambda peer: peer.send(b"\0" * 512))}, "connect_failed", ""),
    ("silence after TLS", {"url": "sslmode=require", "tls": tls_with(
        lambda peer: peer.wait())}, "connect_failed", "2 seconds"),
    ("TLS and a password in clear text", {"url": "sslmode=verify-full", "tls": tls_with(
        lambda peer: peer.start_tls()), "login": password_then(auth(3)), **SLOW}, "connect_failed",
     "certificate"),
    ("data before TLS", {"url": "sslmode=require", "tls": b"S" + GREETED},
     "connect_failed", ""),
    ("a far host without TLS", {**FAR, "told": 8}, "connect_failed", "verify-full"),
    ("a far host with another's certificate", {**FAR, **SLOW, "tls": tls_with(
        lambda peer: peer.start_tls())}, "connect_failed", "verify-full"),
    ("a far host without TLS, as the URL says, that wants clear text", {
        **FAR, "url": "sslmode=disable", "login": password_then(auth(3))}, "connect_failed",
     "clear text"),
    # While the session is prepared.
    ("silence after login", {"simple": then_silence()}, "connect_failed", "2 seconds"),
    ("CopyBoth for a command", {"simple": message(b"W", COPY)}, "protocol_violation", "COPY"),
    ("CopyOut for a command", {"simple": message(b"H", COPY)}, "protocol_violation", "COPY"),
    ("CopyIn for a command", {"simple": message(b"G", COPY)}, "protocol_violation", "COPY"),
    ("results without end for a command",
     {"simple": then_flood(b"", message(b"C", text("SET")))}, "connect_failed", "2 seconds"),
    # Instead of a description.
    ("silence instead of a description", {"describe": then_silence()}, "timeout", "2 seconds"),
    ("CopyBoth instead of a description", {"describe": message(b"W", COPY)},
     "protocol_violation", "COPY"),
    ("a description that is too short",
     {"describe": described(description(column("a"), count=9))}, "connection_lost",
     "insufficient data"),
    ("65535 columns that are not there",
     {"describe": described(description(column("a"), count=65535))}, "connection_lost",
     "insufficient data"),
    ("a name without end", {"describe": then_silence(message(
        b"T", struct.pack("!h", 1) + b"n" * 1000, 1 << 20))}, "timeout",
     "2 seconds"),
    ("types without end", {**both(many_columns(400, 99999), ROW),
                           "execute": drip(message(b"1") * 99)}, "timeout", "2 seconds"),
    ("types that are described with nothing", {
        **both(description(column("a", 99999)), row(b"1"))}, "protocol_violation", "type"),
    # Instead of rows.
    ("silence instead of rows", {"execute": then_silence()}, "timeout", "2 seconds"),
    ("silence in the middle of a row", {"execute": then_silence(executed(ROW, ROW[:9]))},
     "timeout", "2 seconds"),
    ("drips in the middle of a row", {"execute": drip(executed(ROW * 9))}, "timeout",
     "2 seconds"),
    ("closed in the middle of a row", {"execute": lambda peer: (
        peer.send(executed(ROW, ROW[:9])), peer.socket.close())}, "connection_lost",
     "closed the connection"),
    ("fewer fields than described", {"execute": message(b"1") + message(b"2") + description(
        column("a", 23)) + row(b"1") + COMPLETE + READY}, "protocol_violation", "1 column"),
    ("more fields than described", {"execute": message(b"1") + message(b"2") + description(
        column("a", 23), column("b"), column("c")) + row(b"1", b"2", b"3") + COMPLETE + READY},
     "protocol_violation", "3 columns"),
    ("a row with fewer cells", {"execute": executed(row(b"1"), COMPLETE, READY)},
     "connection_lost",
     "field count"),
    ("a row with more cells", {"execute": executed(row(b"1", b"2", b"3"), COMPLETE, READY)},
     "connection_lost",
     "field count"),
    ("types that change", {"execute": message(b"1") + message(b"2") + description(
        column("a", 17), column("b", 114)) + ROW + COMPLETE + READY}, "protocol_violation",
     "type"),
    ("binary instead of text", {"execute": message(b"1") + message(b"2") + description(
        column("a", 23, 1), column("b", 25, 1)) + row(b"\0\0\0\1", b"x") + COMPLETE + READY},
     "protocol_violation", "binary"),
    ("a second description", {"execute": executed(ROW, description(column("z", 17)),
                                                  row(b"zz"), COMPLETE, READY)},
     "protocol_violation",
     "second"),
    ("a second result", {"execute": executed(ROW, COMPLETE, COLUMNS, ROW, COMPLETE, READY)},
     "protocol_violation", "second"),
    ("a cell of length 2^31-1", {"execute": executed(
        row((0x7fffffff, b"xy"), b"x"), COMPLETE, READY)}, "connection_lost",
     "insufficient data"),
    ("a message of length 2^31-1", {"execute": then_silence(
        executed(message(b"D", b"\0\1", 0x7fffffff)))}, "", ""),
    ("a message of length -2", {"execute": executed(message(b"D", b"\0\1", -2))},
     "connection_lost",
     "length -2"),
    ("a number that is none", both(COLUMNS, row(b"1\0002", b"x")), "protocol_violation",
     "NUL"),
    ("text that is not UTF-8", both(COLUMNS, row(b"1", b"\xff\xfe")), "invalid_utf8",
     "not UTF-8"),
    ("a name that is not UTF-8", both(description(column(b"\xff\xfe")), row(b"1")),
     "invalid_utf8",
     "not UTF-8"),
    ("a NUL inside a name", {"describe": described(description(text(b"a") + column("b")))},
     "connection_lost",
     "do not agree"),
    ("binary that is no hexadecimal", both(description(column("a", 17)), row(b"\\xzz!")),
     "protocol_violation", "bytea"),
    ("binary of an odd length", both(description(column("a", 17)), row(b"\\x123")),
     "protocol_violation", "bytea"),
    ("binary without a beginning", both(description(column("a", 17)), row(b"x")),
     "protocol_violation", "bytea"),
    ("an array that never ends", both(description(column("a", 1007)), row(b"{1,{2")),
     "protocol_violation", "array"),
    ("an array that is none", both(description(column("a", 1007)), row(b"12")),
     "protocol_violation", "array"),
    ("an array that closes first", both(description(column("a", 1007)), row(b"{}}}")),
     "protocol_violation", "array"),
    ("an array too deep", both(description(column("a", 1007)), row(b"{" * 5000 + b"}" * 5000)),
     "depth_limit",
     "deeper"),
    ("no rows at all but done", {"execute": COMPLETE + READY}, "protocol_violation",
     "0 columns"),
    ("only ready", {"execute": READY}, "protocol_violation",
     "no result"),
    ("CopyBoth instead of rows", {"execute": executed(message(b"W", COPY)), **LEAKS},
     "protocol_violation", "COPY"),
    ("CopyOut in the middle of rows", {"execute": executed(ROW, message(b"H", COPY)),
                                       **LEAKS}, "protocol_violation", "COPY"),
    ("CopyIn instead of rows", {"execute": message(b"1") + message(b"2") + message(b"G", COPY)},
     "protocol_violation",
     "COPY"),
    ("rows without end", {"execute": then_flood(executed(), ROW)}, "timeout", "2 seconds"),
    ("notices without end", {"execute": then_flood(executed(), report(b"N", ESCAPES))},
     "timeout", "2 seconds"),
    ("notifications without end", {"execute": then_flood(
        executed(), message(b"A", struct.pack("!i", 1) + text("a") + text("b")))}, "timeout",
     "2 seconds"),
    ("results without end", {"execute": then_flood(executed(), COMPLETE)}, "protocol_violation",
     "second"),
    ("unknown messages", {"execute": executed(message(b"!", b"what")) + READY},
     "connection_lost",
     "unexpected response"),
    ("an error after rows with escapes", {"execute": executed(ROW, report(b"E", ESCAPES),
                                                              READY)}, "query_failed", "red"),
    ("an error without fields", {"execute": executed(ROW, message(b"E", b"\0"), READY)},
     "connection_lost",
     "no error message"),
    ("a cancel that is never answered", {
        "execute": then_silence(executed(ROW)), "cancel": lambda peer: peer.wait()},
     "timeout", "2 seconds"),
]

# Their rows are fine, however odd they look: to libpq every length below zero is a null.
POSTGRES_ODD = [
    ("a cell of length -2", {"execute": executed(row((-2, b""), b"x"), COMPLETE, READY)}),
    ("1600 columns", both(many_columns(1600), row(*[b"x"] * 1600))),
    ("a notice with escapes", {"execute": executed(report(b"N", ESCAPES), ROW, COMPLETE,
                                                   READY)}),
    ("65535 columns", both(many_columns(65535), row(*[None] * 65535))),
]


# -------------------------------------------------------------------------------- MariaDB

def packet(body, number=0, length=None):
    return struct.pack("<I", len(body) if length is None else length)[:3] + bytes(
        [number & 255]) + body


def lenenc(data):
    size = len(data)
    if size < 251:
        return bytes([size]) + data
    if size < 65536:
        return b"\xfc" + struct.pack("<H", size) + data
    return b"\xfd" + struct.pack("<I", size)[:3] + data


CAPABILITIES = 0x00000001 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x80000 | 0x200000


def greeting(capabilities=CAPABILITIES, plugin=b"mysql_native_password",
             version=b"5.5.5-10.11.1-MariaDB", scramble=21, more=0):
    return packet(b"\x0a" + version + b"\0" + struct.pack("<I", 7) + b"abcdefgh\0" +
                  struct.pack("<H", capabilities & 0xffff) + b"\x2d\x02\0" +
                  struct.pack("<H", capabilities >> 16) + bytes([scramble]) + b"\0" * 6 +
                  struct.pack("<I", more) + b"ijklmnopqrst\0" + plugin + b"\0")


def ok(number=1, status=2):
    return packet(b"\0\0\0" + struct.pack("<HH", status, 0), number)


def eof(number, status=2):
    return packet(b"\xfe\0\0" + struct.pack("<H", status), number)


def failure(number, sentence, code=1064):
    return packet(b"\xff" + struct.pack("<H", code) + b"#42000" + sentence, number)


def field(name, kind=253, charset=45, flags=0, length=100, decimals=0, last=None):
    fixed = struct.pack("<HIBHB", charset, length, kind, flags, decimals) + b"\0\0"
    return (lenenc(b"def") + lenenc(b"") * 3 + lenenc(name) + lenenc(b"") +
            (lenenc(fixed) if last is None else last))


FIELDS = [field(b"a", 3), field(b"b")]


def prepared(fields, params=0, count=None, end=True):
    data = packet(b"\0" + struct.pack("<IHHBH", 1, len(fields) if count is None else count,
                                      params, 0, 0), 1)
    number = 2
    for one in fields:
        data += packet(one, number)
        number += 1
    return data + (eof(number) if fields and end else b"")


def binary(*cells, nulls=b"\0"):
    return b"\0" + nulls + b"".join(cells)


def results(fields, *rows, count=None, end=True):
    data = packet(lenenc_number(len(fields) if count is None else count), 1)
    number = 2
    for one in fields:
        data += packet(one, number)
        number += 1
    data += eof(number)
    number += 1
    for one in rows:
        data += packet(one, number)
        number += 1
    return data + (eof(number) if end else b"")


def lenenc_number(number):
    if number < 251:
        return bytes([number])
    if number < 65536:
        return b"\xfc" + struct.pack("<H", number)
    if number < 1 << 24:
        return b"\xfd" + struct.pack("<I", number)[:3]
    return b"\xfe" + struct.pack("<Q", number)


MARIA_ROW = binary(struct.pack("<i", 1), lenenc(b"x"))


class Maria(Honest):
    """One that speaks MariaDB's."""

    PARTS = {
        "greeting": greeting(),
        "login": ok(2),
        "command": ok(1),
        "prepare": prepared(FIELDS),
        "execute": results(FIELDS, MARIA_ROW),
    }
    TLS = 0x800

    def __call__(self, peer):
        self.say(peer, "greeting")
        body = read_packet(peer)
        if len(body) == 32 and "tls" in self.parts:
            self.say(peer, "tls")
            body = read_packet(peer)
        self.say(peer, "login")
        while True:
            body = read_packet(peer)
            if body[:1] == b"\x01":
                return
            part = {b"\x03": "command", b"\x16": "prepare", b"\x17": "execute"}.get(body[:1])
            if part:
                self.say(peer, part)


def read_packet(peer):
    head = peer.read(4)
    return peer.read(head[0] | head[1] << 8 | head[2] << 16)


def switch(plugin, data=b"abcdefghijklmnopqrst\0"):
    """Asks for another way to authenticate, reads what comes, and lets the client in."""
    def lie(peer):
        peer.send(packet(b"\xfe" + plugin + b"\0" + data, 2))
        read_packet(peer)
        peer.send(ok(4))
    return lie


def sha2_full(peer):
    """caching_sha2_password with all it can ask for: a key for the password."""
    peer.send(packet(b"\xfecaching_sha2_password\0abcdefghijklmnopqrst\0", 2))
    read_packet(peer)
    peer.send(packet(b"\x01\x04", 4))
    read_packet(peer)
    peer.send(packet(b"\x01" + RSA_KEY, 6))
    read_packet(peer)
    peer.send(ok(8))


RSA_KEY = b"""-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC5hTtq6dEGu3hUmIBOvTLf4gbE
DBFC9nzJVUbQxCCOtWZbdhOgcgmBIpLOXtcnFMxGxaVXkWTYHGDR6X1SBHjbyM5C
A5pVvTyDfPCjWMlRMUJcXCOfPmXRzyxkmyNrnxdZLXvyFXhyphDSi2b2VVsQOzHc
s3pX4bAeKRxTUmdSTwIDAQAB
-----END PUBLIC KEY-----
"""


def maria_rows(*rows, fields=None, **more):
    fields = fields or FIELDS
    return {"prepare": prepared(fields), "execute": results(fields, *rows, **more)}


def one(kind, cell, **more):
    """A column of one type, and what is in its only row."""
    return maria_rows(binary(cell), fields=[field(b"a", kind, **more)])


def infile(peer):
    peer.send(packet(b"\xfb/etc/passwd", 1))
    read_packet(peer)
    read_packet(peer)
    peer.send(ok(4))


def maria_tls(after):
    return {"url": "ssl=true", "greeting": greeting(CAPABILITIES | Maria.TLS), "tls": after}


MARIA_LIES = [
    # Before anybody knows who is there.
    ("silence after connect", {"greeting": then_silence()}, "connect_failed", "2 seconds"),
    ("closed after connect", {"greeting": lambda peer: peer.socket.close()},
     "connect_failed",
     "Lost connection"),
    ("garbage for a greeting", {"greeting": b"HTTP/1.1 400 Bad Request\r\n\r\n"},
     "connect_failed",
     "greeting"),
    ("garbage without end", {"greeting": then_flood(b"", b"\xff\xfe garbage")},
     "connect_failed",
     "greeting"),
    ("drips while greeting", {"greeting": drip(greeting())}, "connect_failed", "2 seconds"),
    ("an empty greeting", {"greeting": packet(b"")}, "connect_failed",
     "greeting"),
    ("a greeting of one byte", {"greeting": packet(b"\x0a")}, "connect_failed", "greeting"),
    ("a greeting cut short", {"greeting": packet(b"\x0a5.5.5-10\0\1\2")}, "connect_failed",
     "greeting"),
    ("a version without end", {"greeting": packet(b"\x0a" + b"9" * 40)}, "connect_failed",
     "greeting"),
    ("a greeting of an old protocol", {"greeting": packet(b"\x09" + greeting()[5:])},
     "connect_failed",
     "greeting"),
    ("a scramble beyond the greeting", {"greeting": greeting(scramble=255)},
     "connect_failed",
     "greeting"),
    ("a huge greeting", {"greeting": then_silence(packet(b"\x0a", 0, 0xffffff))},
     "connect_failed",
     "greeting"),
    ("an error for a greeting, with escapes",
     {"greeting": packet(b"\xff" + struct.pack("<H", 1040) + ESCAPES.encode())},
     "connect_failed", "red"),
    ("silence after the greeting", {"login": then_silence()}, "connect_failed", "2 seconds"),
    ("drips while logging in", {"login": drip(ok(2) * 9)}, "connect_failed",
     "2 seconds"),
    ("an unknown answer to the login", {"login": packet(b"\x77what", 2)}, "connect_failed",
     "something else"),
    ("an empty answer to the login", {"login": packet(b"", 2)}, "connect_failed",
     "Lost connection"),
    ("a wrong OK", {"login": packet(b"\0\xfe\xff\xff", 2)}, "connect_failed",
     "malformed packet"),
    ("progress without end", {"login": flood_and_read(b"", failure(
        2, b"\1\1\1\0\0\0\1x", 65535))}, "connect_failed",
     "2 seconds"),
    # Passwords.
    ("a switch to clear text", {"login": switch(b"mysql_clear_password")}, "connect_failed",
     "give it away"),
    ("clear text from the start", {"greeting": greeting(plugin=b"mysql_clear_password")},
     "connect_failed",
     "give it away"),
    ("a switch to the dialog of PAM", {"login": switch(b"dialog", b"\4Password: ")},
     "connect_failed", "give it away"),
    ("a switch to the oldest passwords", {"login": switch(b"mysql_old_password")},
     "connect_failed", "give it away"),
    ("a switch to the oldest passwords, in short", {"login": packet(b"\xfe", 2)},
     "connect_failed",
     "give it away"),
    ("a key for the password", {"login": sha2_full}, "connect_failed",
     "give it away"),
    ("a key for the password, SHA-256", {"login": switch(b"sha256_password")},
     "connect_failed", "give it away"),
    ("a switch to an unknown plugin", {"login": switch(b"../../etc/passwd")},
     "connect_failed",
     "give it away"),
    ("switches without end", {"login": flood_and_read(b"", packet(
        b"\xfemysql_native_password\0abcdefghijklmnopqrst\0", 2))}, "connect_failed",
     "2 seconds"),
    ("a switch without a name", {"login": packet(b"\xfe" + b"x" * 200, 2)}, "connect_failed",
     "give it away"),
    ("TLS and a switch to clear text", {**maria_tls(lambda peer: peer.start_tls()),
                                        "login": switch(b"mysql_clear_password"), **SLOW},
     "connect_failed", "give it away"),
    # TLS.
    ("TLS refused", {"url": "ssl=true", "told": 0}, "connect_failed", "TLS"),
    ("a far host without TLS", {**FAR, "told": 0}, "connect_failed", "TLS"),
    ("a far host with another's certificate", {
        **FAR, **SLOW, **maria_tls(lambda peer: peer.start_tls()), "url": "connect_timeout=9"},
     "connect_failed", "certificate"),
    ("a far host without TLS, as the URL says, that wants clear text", {
        **FAR, "url": "ssl=false", "login": switch(b"mysql_clear_password")},
     "connect_failed", "give it away"),
    ("garbage after TLS", maria_tls(lambda peer: peer.send(b"\0" * 512)), "connect_failed",
     "TLS"),
    ("silence after TLS", maria_tls(lambda peer: peer.wait()), "connect_failed", "2 seconds"),
    ("drips after TLS", maria_tls(drip(b"\x16\x03\x03\x40\0" + b"\0" * 999)),
     "connect_failed",
     "2 seconds"),
    ("another's certificate", {**maria_tls(lambda peer: peer.start_tls()),
                               "url": "ssl-verify=true", **SLOW}, "connect_failed", "certificate"),
    # While the session is prepared.
    ("silence after login", {"command": then_silence()}, "connect_failed", "2 seconds"),
    ("LOCAL INFILE for a command", {"command": infile}, "protocol_violation", "LOCAL INFILE"),
    ("rows for a command", {"command": results(FIELDS, b"\1" b"1\1x")}, "protocol_violation",
     "with rows"),
    ("an empty answer to a command", {"command": packet(b"", 1)}, "connection_lost",
     "Lost connection"),
    ("more results without end", {"command": flood_and_read(b"", b"".join(
        ok(1 + i, 10) for i in range(256)))}, "connect_failed", "2 seconds"),
    # Instead of a description.
    ("silence instead of a description", {"prepare": then_silence()}, "timeout", "2 seconds"),
    ("OK cut short", {"prepare": packet(b"\0\1\0", 1)}, "protocol_violation",
     "does not say"),
    ("LOCAL INFILE for a statement", {"prepare": infile}, "protocol_violation",
     "does not say"),
    ("fewer columns than told", {"prepare": then_silence(prepared(FIELDS, count=5))},
     "protocol_violation",
     "column 3"),
    ("more columns than told", {"prepare": prepared(FIELDS, count=1)}, "protocol_violation",
     "more columns"),
    ("columns without end", {"prepare": then_flood(prepared([], count=9), b"".join(
        packet(FIELDS[0], 2 + i) for i in range(256)))}, "protocol_violation",
     "more columns"),
    ("65535 columns that are not there", {"prepare": then_silence(
        prepared(FIELDS, count=65535))}, "protocol_violation",
     "column 3"),
    ("65535 parameters", {"prepare": prepared([], params=65535) + eof(2)}, "protocol_violation",
     "0 of 65535"),
    ("a column without a type", {"prepare": prepared([field(b"a", last=b"\0")])},
     "protocol_violation", "column"),
    ("a column of null", {"prepare": prepared([b"\xfb" * 7])}, "protocol_violation", "column"),
    ("a name longer than its packet", {"prepare": prepared(
        [b"\3def\0\0\0\xfe" + struct.pack("<Q", 1 << 40)])}, "protocol_violation", "column"),
    ("a name of 2^31-1 bytes", {"prepare": prepared(
        [b"\3def\0\0\0\xfe" + struct.pack("<Q", 0x7fffffff) + b"x"])}, "protocol_violation",
     "column"),
    # Instead of rows.
    ("silence instead of rows", {"execute": then_silence()}, "timeout", "2 seconds"),
    ("silence in the middle of a row", {"execute": then_silence(
        results(FIELDS, MARIA_ROW, end=False), packet(MARIA_ROW, 6)[:6])}, "timeout",
     "2 seconds"),
    ("drips in the middle of rows", {"execute": drip(results(FIELDS, *[MARIA_ROW] * 9))},
     "timeout", "2 seconds"),
    ("closed in the middle of a row", {"execute": lambda peer: (
        peer.send(results(FIELDS, MARIA_ROW, end=False) + packet(MARIA_ROW, 6)[:6]),
        peer.socket.close())}, "connection_lost",
     "Lost connection"),
    ("fewer columns than described", {"execute": results(FIELDS[:1], binary(b"\1\0\0\0"))},
     "protocol_violation", "1 column"),
    ("more columns than described", {"execute": results(FIELDS * 2, MARIA_ROW)},
     "protocol_violation", "4 columns"),
    ("columns where there were none, and no description", {
        "greeting": greeting(CAPABILITIES & ~1, more=0x10), "prepare": prepared([]),
        "execute": packet(b"\2\0", 1) + eof(2) + packet(MARIA_ROW, 3) + eof(4)},
     "protocol_violation",
     "described 0"),
    ("2^40 columns", {"execute": packet(lenenc_number(1 << 40), 1)}, "protocol_violation",
     "1099511627776"),
    ("a type that is none", one(200, b"\1x"), "protocol_violation", "type"),
    ("done without rows", {"execute": ok(1)}, "protocol_violation",
     "sends none"),
    ("LOCAL INFILE instead of rows", {"execute": infile}, "protocol_violation",
     "LOCAL INFILE"),
    ("a row cut short", maria_rows(b"\0\0\1\0"), "protocol_violation", "row"),
    ("a row without nulls", maria_rows(b"\0"), "protocol_violation", "row"),
    ("a row that begins with another byte", maria_rows(b"\x05" + MARIA_ROW[1:]),
     "protocol_violation", "row"),
    ("a row with more than its cells", maria_rows(MARIA_ROW + b"more"), "protocol_violation",
     "row"),
    ("a cell longer than its row", maria_rows(
        binary(b"\1\0\0\0", b"\xfe" + struct.pack("<Q", 0x7fffffff) + b"x")),
     "protocol_violation", "row"),
    ("a cell of length 2^64-2", maria_rows(
        binary(b"\1\0\0\0", b"\xfe" + struct.pack("<Q", (1 << 64) - 2) + b"x")),
     "protocol_violation", "row"),
    ("a cell of null length", maria_rows(binary(b"\1\0\0\0", b"\xfb")), "protocol_violation",
     "row"),
    ("a date of another length", one(10, b"\x09" + b"\1" * 9), "protocol_violation", "row"),
    ("a time of another length", one(11, b"\x05" + b"\1" * 5), "protocol_violation", "row"),
    ("a timestamp longer than its row", one(12, b"\x0b\1"), "protocol_violation", "row"),
    ("bits that are too many", one(16, lenenc(b"\1" * 9)), "protocol_violation", "row"),
    ("text that is not UTF-8", one(253, lenenc(b"\xff\xfe")), "invalid_utf8",
     "not UTF-8"),
    ("a name that is not UTF-8", maria_rows(binary(b"\1x"), fields=[field(b"\xff\xfe")]),
     "invalid_utf8",
     "not UTF-8"),
    ("a NUL inside a name", maria_rows(binary(b"\1x"), fields=[field(b"a\0b")]),
     "protocol_violation", "name"),
    ("a packet too long for its rows", {"execute": then_silence(
        results(FIELDS, end=False) + packet(b"\0", 5, 0xffffff))}, "timeout", "2 seconds"),
    ("packets that never become a row", {"execute": then_flood(
        results(FIELDS, end=False), packet(b"\0" * 0xffffff, 5))}, "", ""),  # its time is over, or its row
    # too large: which is first depends on the machine
    ("rows without end", {"execute": then_flood(results(FIELDS, end=False), b"".join(
        packet(MARIA_ROW, 5 + i) for i in range(256)))}, "timeout", "2 seconds"),
    ("rows that all have the same number", {"execute": then_flood(
        results(FIELDS, end=False), packet(MARIA_ROW, 5))}, "protocol_violation",
     "out of order"),
    ("progress instead of rows", {"execute": then_flood(b"", failure(
        1, b"\1\1\1\0\0\0\1x", 65535))}, "timeout",
     "2 seconds"),
    ("result sets without end", {"execute": flood_and_read(
        b"", results(FIELDS, MARIA_ROW, end=False) + eof(6, 10))}, "protocol_violation",
     "second"),
    ("wrong sequence numbers", {"execute": packet(b"\2", 77) + packet(FIELDS[0], 3) +
                                packet(FIELDS[1], 200) + eof(9) + packet(b"\0", 0)},
     "protocol_violation",
     "out of order"),
    ("an error after rows, with escapes", {"execute": results(
        FIELDS, MARIA_ROW, end=False) + failure(6, ESCAPES.encode())}, "query_failed", "red"),
    ("an error without a code", {"execute": packet(b"\xff", 1)}, "query_failed",
     "Unknown"),
    ("an error that claims to be the client's", {"execute": failure(1, b"no memory", 2008)},
     "query_failed",
     "malformed packet"),
    ("a silent server that is asked to stop", {"execute": then_silence(
        results(FIELDS, MARIA_ROW, end=False))}, "timeout", "2 seconds"),
]

# A procedure tells of its columns when it runs, and a parameter may change a type; the
# rest of what is here is odd and harms nobody.
MARIA_ODD = [
    ("columns where there were none", {"prepare": prepared([]),
                                       "execute": results(FIELDS, MARIA_ROW)}),
    ("types that change", {"execute": results([field(b"a", 252, 63), field(b"b", 12)],
                                              binary(lenenc(b"x"), b"\0"))}),
    ("4096 columns", maria_rows(b"\0" + b"\0" * ((4096 + 9) // 8) + b"\1x" * 4096,
                                fields=[field(b"c%d" % i) for i in range(4096)])),
    ("65535 columns", maria_rows(b"\0" + b"\xff" * ((65535 + 9) // 8),
                                 fields=[field(b"c%d" % i) for i in range(65535)])),
]


# --------------------------------------------------------------------------------- running

KINDS = {
    "postgres": (Postgres, "postgres", POSTGRES_LIES, POSTGRES_ODD),
    "mariadb": (Maria, "mariadb", MARIA_LIES, MARIA_ODD),
}


def environment_in(work, leaks=""):
    """What pith is run with: nothing of the user's own. Leaks of a library that is named
    are its own affair."""
    suppressed = os.path.join(work, "leaks")
    if leaks:
        with open(suppressed, "w", encoding="utf-8") as file:
            file.write(f"leak:{leaks}\n")
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PG", "MYSQL", "MARIADB", "PITH_DB"))}
    return {**kept, "HOME": work, "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
            "PITH_DB_PASSWORD": SECRET,
            **({"LSAN_OPTIONS": f"suppressions={suppressed}:print_suppressions=0"}
               if leaks else {})}


def certificate_in(work):
    """A certificate that nobody has signed; None where there is no openssl to make it."""
    if not shutil.which("openssl"):
        return None
    names = [os.path.join(work, name) for name in ("cert.pem", "key.pem")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-out", names[0], "-keyout", names[1]],
                   check=True, capture_output=True)
    return names


class Outcome:
    def __init__(self, code, err, seconds, files, told, told_max):
        self.code = code
        self.err = err
        self.seconds = seconds
        self.files = files
        self.told = told  # what the server was sent
        self.told_max = told_max


def ask(path, kind, changed, work, certificate):
    """Runs one query against a server with that lie."""
    changed = dict(changed)
    wanted = changed.pop("url", "")
    leaks = changed.pop("leaks", "")
    told = changed.pop("told", None)
    seconds = changed.pop("seconds", DEADLINE)
    host = changed.pop("host", "127.0.0.1")
    make, scheme, _, _ = KINDS[kind]
    server = Server(make(**changed), certificate)
    folder = tempfile.mkdtemp(dir=work)
    url = f"{scheme}://u@{host}:{server.port}/db?connect_timeout={seconds}"
    started = time.monotonic()
    running = subprocess.Popen(
        [path, "query", "--db", url + ("&" + wanted if wanted else ""), "--timeout",
         str(seconds), "-o", os.path.join(folder, "rows.json"), SQL],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment_in(work, leaks))
    try:
        _, err = running.communicate(timeout=PATIENCE)
        code = running.returncode
    except subprocess.TimeoutExpired:
        running.kill()
        _, err = running.communicate()
        code = "hangs"
    seconds = time.monotonic() - started
    server.close()
    files = os.listdir(folder)
    shutil.rmtree(folder)
    if server.broken:
        raise server.broken
    return Outcome(code, err, seconds, files, b"".join(server.seen), told)


def faults_of(outcome, word, sentence):
    """What is wrong with how pith took a lie."""
    err = outcome.err.decode("utf-8", "replace")
    if "Sanitizer" in err or (isinstance(outcome.code, int) and outcome.code < 0):
        yield "crashes"
    if outcome.code == "hangs":
        yield "hangs"
    elif outcome.code not in (1, 3):
        yield f"exit status {outcome.code}"
    if outcome.seconds > 2 * DEADLINE + 3:
        yield f"takes {outcome.seconds:.1f} s"
    if word and f"[{word}]" not in err:
        yield f"does not say [{word}]"
    if len(err.splitlines()) > 1:
        yield "says more than its error"
    if sentence not in err:
        yield f"does not say {sentence!r}"
    if outcome.files:
        yield f"leaves {outcome.files}"
    yield from leaks_of(outcome)


def leaks_of(outcome):
    digest = hashlib.md5((SECRET + "u").encode()).hexdigest()
    if SECRET.encode() in outcome.told:
        yield "gives the password away"
    if hashlib.md5((digest + "salt").encode()).hexdigest().encode() in outcome.told:
        yield "gives the password's MD5 away"
    if outcome.told_max is not None and len(outcome.told) > outcome.told_max:
        yield f"says {len(outcome.told)} bytes"
    if SECRET.encode() in outcome.err:
        yield "tells the password"
    if any(byte < 32 and byte != 10 for byte in outcome.err):
        yield "repeats control characters"


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in KINDS:
        sys.exit("usage: tests/db/lies.py PITH postgres|mariadb [NAME]")
    path, kind = os.path.abspath(sys.argv[1]), sys.argv[2]
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    _, _, lies, odd = KINDS[kind]
    work = tempfile.mkdtemp(prefix="pith-lies-")
    bad = 0
    try:
        certificate = certificate_in(work)
        first = ask(path, kind, {}, work, certificate)
        if b"[no_driver]" in first.err:
            print(f"skipped: this pith was built without {kind}")
            sys.exit(SKIPPED)
        todo = [("no lie at all", {}, None, None)]
        todo += [(name, changed, None, None) for name, changed in odd]
        todo += list(lies)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            futures = [(entry, pool.submit(ask, path, kind, entry[1], work, certificate))
                       for entry in todo
                       if only in entry[0] and (certificate or "TLS" not in entry[0])]
            for (name, _, word, sentence), future in futures:
                outcome = future.result()
                if word is None:
                    found = [] if outcome.code == 0 and outcome.files else ["is refused"]
                    found += leaks_of(outcome)
                else:
                    found = list(faults_of(outcome, word, sentence))
                if found or only or os.environ.get("LIES_VERBOSE"):
                    print(f"{'FAILED' if found else 'fine  '} {name}: {', '.join(found)}\n"
                          f"    {outcome.code} after {outcome.seconds:.1f} s: "
                          f"{outcome.err[:600].decode('utf-8', 'replace').strip()!r}")
                bad += bool(found)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{kind}: {len(futures)} servers, {bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
