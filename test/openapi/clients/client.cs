using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Newtonsoft.Json;
using Warehouse.Api;
using Warehouse.Client;
using Warehouse.Model;

// Sends what scenario.ts has, with the client that openapi-generator makes.
class Program
{
    static StockBalanceEntry Entry(string materialCode, PurchaseOrders purchaseOrders)
    {
        return new StockBalanceEntry(materialCode, -12.125m, "kg", purchaseOrders);
    }

    static StockBalanceBatch Batch(params StockBalanceEntry[] entries)
    {
        return new StockBalanceBatch(entries.ToList());
    }

    static void Main()
    {
        var configuration = new Configuration
        {
            BasePath = Environment.GetEnvironmentVariable("BASE_URL"),
            Username = Environment.GetEnvironmentVariable("USERNAME"),
            Password = Environment.GetEnvironmentVariable("PASSWORD"),
        };
        var balances = new StockBalancesApi(configuration);
        var lists = new ListsApi(configuration);

        var timestamp = Environment.GetEnvironmentVariable("TIMESTAMP");
        var change = new ChangesApi(configuration).PostChange(new Change(timestamp));
        var snapshot = balances.PostMaterialStockBalance(Batch(
            Entry("ABC-1", new PurchaseOrders(new List<string> { "OT1234567", "OT1234567" })),
            Entry("Сталь-10/А", new PurchaseOrders(new object()))));
        var codes = lists.GetMaterialCodes().MaterialCodes;
        var orders = lists.GetPurchaseOrders().PurchaseOrders;

        object[] refused = null;
        try
        {
            balances.PostMaterialStockBalance(Batch(Entry("ABC-1", new PurchaseOrders(new List<string>()))));
        }
        catch (ApiException exception)
        {
            var problem = JsonConvert.DeserializeObject<Problem>(exception.ErrorContent.ToString());
            refused = new object[] { exception.ErrorCode, problem.Errors.Select(fault => fault.Pointer) };
        }

        var outcome = new
        {
            change = change.Timestamp,
            entryCount = snapshot.EntryCount,
            names = codes.Select(row => new object[] { row.MaterialCode, NameOf(row) }),
            orders = orders.Select(row => row.PurchaseOrder),
            refused,
        };
        var bytes = Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(outcome));
        Console.OpenStandardOutput().Write(bytes, 0, bytes.Length);
    }

    static object NameOf(MaterialCodeRow row)
    {
        return row.AdditionalProperties.ContainsKey("Name") ? row.AdditionalProperties["Name"] : null;
    }
}
