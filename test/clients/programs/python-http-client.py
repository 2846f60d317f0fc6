"""The four operations with http.client over one connection: raw UTF-8 behind a byte-order mark, in chunks."""

import codecs
import json
from base64 import b64encode
from http.client import HTTPConnection
from os import environ
from urllib.parse import urlsplit

from batch import batch, change, report

base = urlsplit(environ["BASE_URL"])
connection = HTTPConnection(base.netloc)
credentials = b64encode(f"{environ['USERNAME']}:{environ['PASSWORD']}".encode()).decode()


def call(operation, method, path, body=None, headers={}):
    connection.request(
        method,
        f"{base.path}/rest/warehouse-control/{path}",
        body,
        {"Authorization": f"Basic {credentials}", "Content-Type": "application/json; charset=utf-8", **headers},
    )
    answer = connection.getresponse()
    report(operation, answer.status, answer.read())


def encoded(body):
    return codecs.BOM_UTF8 + json.dumps(body, ensure_ascii=False).encode()


def in_pieces(body):
    """The encoder's own small pieces, each of which becomes a chunk."""
    yield codecs.BOM_UTF8
    for piece in json.JSONEncoder(ensure_ascii=False).iterencode(body):
        yield piece.encode()


call("change", "POST", "changes", encoded(change()), {"Accept-Encoding": ""})
call("material-codes", "GET", "material-codes", headers={"Content-Length": "0"})
call("purchase-orders", "GET", "purchase-orders", headers={"Content-Length": "0"})
call("balances", "POST", "material-stock-balance", encoded(batch(200)))
call("balances-chunked", "POST", "material-stock-balance", in_pieces(batch(200)))
