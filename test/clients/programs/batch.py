import json
from datetime import datetime, timezone


def entry(i):
    return {
        "MaterialCode": ("Сталь-10/А,", "ABC-", "Кабель,ВВГ/")[i % 3] + str(i),
        "StockBalance": (i % 7 - 3) * (1000 * i + 67) / 1000,
        "StockBalanceUnit": "kg",
        "PurchaseOrders": [f"OT{i + k % 2:07d}" for k in range(i % 5)] or {},
    }


def batch(count):
    return {"MaterialCodes": [entry(i) for i in range(count)]}


def change():
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    return {"Timestamp": now.isoformat(timespec="milliseconds").replace(".", ",") + "Z"}


def report(operation, status, answer):
    print(json.dumps({"operation": operation, "status": status, "body": json.loads(answer)}))
