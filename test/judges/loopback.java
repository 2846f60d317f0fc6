import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local in memory, on a free port of the loopback address, until its standard input ends. Its own main class
 * listens on every address and reports its starts to AWS.
 */
class Loopback {
  public static void main(String[] args) throws Exception {
    var engine = new LocalDynamoDBRequestHandler(0, true, null, true, false);
    var server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    server.setHandler(new LocalDynamoDBServerHandler(engine, null));
    server.start();
    System.out.println(((ServerConnector) server.getConnectors()[0]).getLocalPort());
    System.in.transferTo(System.err);
    System.exit(0);
  }
}
