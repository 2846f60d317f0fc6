import { operations } from '../../shared/operations.ts';
import type { ServedRequest } from '../gateway/gateway.ts';
import type { Outputs, RunStep } from '../run.ts';

export const requestLine = ({ request, statusCode, milliseconds, client }: ServedRequest) => {
  const { receivedAt, httpMethod, path } = request;
  const time = receivedAt.toISOString().slice(11, 23);
  return `${time} ${httpMethod} ${path} ${statusCode} ${milliseconds.toFixed(1)} ms ${client}`;
};

export const demoRefused = (data: string) =>
  `The tables in ${data} already contain data, so no demo was added. If an earlier --demo was stopped half-way, delete the folder and start again. To see a new demo and keep your data: npm start -- --demo --memory`;

/** Inside single quotes, a shell interprets only the closing quote. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const quotedIfNeeded = (text: string) => (/^[\w./-]+$/.test(text) ? text : quoted(text));

/** Prints one line for each step of the start, with the step's name, result and duration. */
export const showSteps =
  (print: (text: string) => void): RunStep =>
  async (name, action, describeResult = () => '') => {
    print(`${name} … `);
    const startedAt = performance.now();
    try {
      const result = await action();
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      print([describeResult(result), `${seconds} s`].filter((text) => text !== '').join(', '));
      return result;
    } finally {
      // The error message of a failed step starts on a new line.
      print('\n');
    }
  };

export const banner = ({ BaseUrl, Clients }: Pick<Outputs, 'BaseUrl' | 'Clients'>, data: string) => {
  const localOptions = data === '.local' ? '--local' : `--local --data ${quotedIfNeeded(data)}`;
  const { length } = Object.keys(Clients);
  return `
Ready. ${length > 0 ? howToCall(BaseUrl, Clients) : `No client can sign in. Add one: npx warehouse-admin ${localOptions} clients add NAME`}

Show the balances        npx warehouse-admin ${localOptions} balances
Open the console         npm run console -- ${localOptions}
Read more                docs/integration.md (callers), docs/admin.md (admins), docs/local.md (this run)
URLs and passwords       ${data}/outputs.json${length > 1 ? ` (${length} clients)` : ''}
Log of the functions     ${data}/functions.log

Ctrl-C ends everything.
`;
};

const howToCall = (baseUrl: string, clients: Outputs['Clients']) => {
  const [[userName, password] = ['', '']] = Object.entries(clients);
  const list = Object.values(operations).find(({ method }) => method === 'GET')?.path;
  return `To call the service, paste these lines into another terminal:

export BASE_URL=${quoted(baseUrl)} CREDENTIALS=${quoted(`${userName}:${password}`)}
curl -u "$CREDENTIALS" "$BASE_URL${list}"`;
};
