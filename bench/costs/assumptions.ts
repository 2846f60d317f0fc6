/** What is neither measured nor anybody's price: each with its value, and why it is that. */

type Assumption = { value: number; unit: string; what: string };
const given = (value: number, unit: string, what: string): Assumption => ({ value, unit, what });

/** What warehouses do; together they are one line of the document. */
const mix = {
  clientsPerDeployment: given(30, 'warehouses', 'to a deployment'),
  batchesPerHour: given(4, 'batches', 'that a warehouse sends in an hour'),
  batchEntries: given(200, 'entries', 'in each of them'),
  changesPerHour: given(4, 'changes', 'that it reports in an hour'),
  listReadsPerHour: given(1, 'reading', 'of each of the two lists in an hour'),
  listRows: given(1_000, 'rows', 'in each list'),
} as const;

/** How the platform is taken to behave. */
const conduct = {
  hoursPerMonth: given(730, 'hours', 'in a month'),
  processKeptMinutes: given(
    6,
    'minutes',
    'that the platform keeps an idle process of a function; not documented. Requests come at random, so that many of them find none',
  ),
  slowerProcessor: given(
    1.3,
    'times',
    'as long as on the measuring machine takes a Lambda processor (arm64); not measured',
  ),
  tableCallMs: given(6, 'ms', 'that a function waits for a table, for each call in turn'),
  tableMsPerMb: given(80, 'ms', 'that it waits beside that for each MB written or read'),
  secretCallMs: given(12, 'ms', 'that the authorizer waits for Secrets Manager, for each call in turn'),
  initMs: given(115, 'ms', 'of a cold start before a bundle is loaded; it is billed'),
  connectMs: given(30, 'ms', 'that the first call of a process takes longer, to connect over TLS'),
  answerHeaderBytes: given(500, 'bytes', 'of headers of an answer'),
  logEventBytes: given(26, 'bytes', 'that CloudWatch counts for a log line beside its own'),
  logsCompressed: given(
    0.15,
    'of its size',
    'is what a stored log takes, as in the examples of the price page',
  ),
  statusesOfErrors: given(8, 'statuses', 'that errors are answered with in a bad hour; each is a metric'),
  tracedShare: given(
    1,
    'of the requests',
    'is traced; the sampling rule that is there by default takes one a second and 5 % of the others',
  ),
} as const;

export const assumptions = { ...mix, ...conduct };

const numberOf = ({ value, unit }: Assumption) => `${value.toLocaleString('en')} ${unit}`;

/** What is assumed, and what it is, line by line. */
export const assumedLines = (): string[][] => [
  [
    'What is asked for',
    Object.values(mix)
      .map((each) => `${numberOf(each)} ${each.what}`)
      .join('; '),
  ],
  ...Object.values(conduct).map((each) => [numberOf(each), each.what]),
];
