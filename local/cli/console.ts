import { operations } from '../../shared/operations.ts';
import type { ServedRequest } from '../gateway/gateway.ts';
import type { Outputs } from '../run.ts';

export const USAGE = `Runs the deployed template on this machine.

  npm start -- [options]

  --port N        where to listen (3000; 0 takes any that is free)
  --data DIR      where data is kept from run to run (.local)
  --memory        keep data in memory alone
  --demo          fill empty tables with a month of four warehouses
  --quiet         no line per request
  --no-throttle   without the throttle of the stage and the limits of clients
  --stage NAME    a stage of the settings in cdk.json
  --assembly DIR  run a synthesis that is there, instead of making one
  --help          this text`;

export const requestLine = ({ request, statusCode, milliseconds, client }: ServedRequest) =>
  [
    request.receivedAt.toISOString().slice(11, 23),
    request.httpMethod,
    request.path,
    statusCode,
    `${milliseconds.toFixed(1)} ms`,
    client,
  ].join(' ');

export const noDemo = (data: string) =>
  `The tables in ${data} hold data already, so no demo was added. To see a new demo and keep them: npm start -- --demo --memory`;

/** In single quotes, the quote itself is the only special character for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const banner = ({ BaseUrl, Clients, Tables }: Outputs, data: string) => {
  const [[username, password] = ['', '']] = Object.entries(Clients);
  const curl = `curl -u ${quoted(`${username}:${password}`)}`;
  const url = `${BaseUrl}/rest/warehouse-control`;
  const json = "-H 'Content-Type: application/json'";
  const lists = Object.values(operations).flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
  const timestamp = new Date().toISOString().replace('.', ',');
  const batch = {
    MaterialCodes: [
      { MaterialCode: 'ABC-1', StockBalance: 12.5, StockBalanceUnit: 'kg', PurchaseOrders: ['OT1234567'] },
      { MaterialCode: 'Болт-М8', StockBalance: -3, StockBalanceUnit: 'kg', PurchaseOrders: {} },
    ],
  };
  return `
Base URL   ${BaseUrl}
User name  ${username}
Password   ${password}
${Object.keys(Clients).length > 1 ? `           (${Object.keys(Clients).length} clients in all: ${data}/outputs.json)\n` : ''}
${curl} ${json} -d ${quoted(JSON.stringify({ Timestamp: timestamp }))} ${url}/changes
${lists.map((path) => `${curl} ${BaseUrl}${path}`).join('\n')}
${curl} ${json} -d ${quoted(JSON.stringify(batch))} ${url}/material-stock-balance

Tables, endpoints and all clients are in ${data}/outputs.json (${Object.keys(Tables).length} tables). The functions' log is
${data}/functions.log. Ctrl-C ends everything.
`;
};
