"""The four operations with urllib, whose handler signs in only when it is asked to."""

import json
from os import environ
from urllib.request import HTTPBasicAuthHandler, HTTPPasswordMgrWithDefaultRealm, Request, build_opener

from batch import batch, change, report

service = environ["BASE_URL"] + "/rest/warehouse-control/"
passwords = HTTPPasswordMgrWithDefaultRealm()
passwords.add_password(None, service, environ["USERNAME"], environ["PASSWORD"])
opener = build_opener(HTTPBasicAuthHandler(passwords))


def call(operation, path, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    request = Request(service + path, data, {"Content-Type": "application/json", **headers})
    with opener.open(request) as answer:
        report(operation, answer.status, answer.read())


call("change", "changes", change(), {"Accept-Encoding": ""})
call("material-codes", "material-codes", headers={"Content-Length": "0"})
call("purchase-orders", "purchase-orders", headers={"Content-Length": "0"})
call("balances", "material-stock-balance", batch(200))
