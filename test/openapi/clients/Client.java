import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import warehouse.ApiClient;
import warehouse.ApiException;
import warehouse.api.ChangesApi;
import warehouse.api.ListsApi;
import warehouse.api.StockBalancesApi;
import warehouse.model.Change;
import warehouse.model.Fault;
import warehouse.model.MaterialCodeRow;
import warehouse.model.Problem;
import warehouse.model.PurchaseOrderRow;
import warehouse.model.StockBalanceBatch;
import warehouse.model.StockBalanceEntry;

/** Sends what scenario.ts has, with the client that openapi-generator makes. */
public class Client {
  private static StockBalanceEntry entry(String materialCode, Object purchaseOrders) {
    return new StockBalanceEntry()
        .materialCode(materialCode)
        .stockBalance(new BigDecimal("-12.125"))
        .stockBalanceUnit("kg")
        .purchaseOrders(purchaseOrders);
  }

  private static StockBalanceBatch batch(StockBalanceEntry... entries) {
    return new StockBalanceBatch().materialCodes(Arrays.asList(entries));
  }

  /** The generated client has no setting for HTTP Basic. */
  private static ApiClient client() {
    String credentials = System.getenv("USERNAME") + ":" + System.getenv("PASSWORD");
    byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
    String authorization = "Basic " + Base64.getEncoder().encodeToString(bytes);
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", authorization));
    return client;
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = client();
    ObjectMapper mapper = client.getObjectMapper();
    StockBalancesApi balances = new StockBalancesApi(client);
    ListsApi lists = new ListsApi(client);
    Map<String, Object> outcome = new LinkedHashMap<>();

    Change change = new Change().timestamp(System.getenv("TIMESTAMP"));
    outcome.put("change", new ChangesApi(client).postChange(change).getTimestamp());

    List<String> purchaseOrders = List.of("OT1234567", "OT1234567");
    StockBalanceBatch batch = batch(entry("ABC-1", purchaseOrders), entry("Сталь-10/А", Map.of()));
    outcome.put("entryCount", balances.postMaterialStockBalance(batch).getEntryCount());

    List<Object> names = new ArrayList<>();
    for (MaterialCodeRow row : lists.getMaterialCodes().getMaterialCodes()) {
      names.add(Arrays.asList(row.getMaterialCode(), row.getAdditionalProperty("Name")));
    }
    outcome.put("names", names);

    List<String> orders = new ArrayList<>();
    for (PurchaseOrderRow row : lists.getPurchaseOrders().getPurchaseOrders()) {
      orders.add(row.getPurchaseOrder());
    }
    outcome.put("orders", orders);

    try {
      balances.postMaterialStockBalance(batch(entry("ABC-1", List.of())));
    } catch (ApiException exception) {
      Problem problem = mapper.readValue(exception.getResponseBody(), Problem.class);
      List<String> pointers = new ArrayList<>();
      for (Fault fault : problem.getErrors()) {
        pointers.add(fault.getPointer());
      }
      outcome.put("refused", Arrays.asList(exception.getCode(), pointers));
    }
    System.out.write(mapper.writeValueAsBytes(outcome));
    System.out.flush();
  }
}
