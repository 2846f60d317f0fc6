import * as v from 'valibot';
import { CLIENT_NAME } from '../../shared/clients.ts';

export const integerSetting = (label: string, from: number, to: number) =>
  v.pipe(
    v.number(`${label} must be a number.`),
    v.integer(`${label} must be a whole number.`),
    v.minValue(from, `${label} must be ${from} or more.`),
    v.maxValue(to, `${label} must be ${to} or less.`),
  );

/** A rate of 0.1 is one request in ten seconds. AWS accepts a fraction for a rate, but not for a burst. */
const Rate = v.pipe(
  v.number('rate must be a number.'),
  v.minValue(0.01, 'rate must be 0.01 or more.'),
  v.maxValue(10_000, 'rate must be 10000 or less.'),
);
const Burst = integerSetting('burst', 1, 5_000);

const EXPECTED_LIMITS = 'The limits of clients must be an object with rate, burst, perDay and batches.';
const EXPECTED_BATCHES = 'batches must be an object with rate and burst.';

const OwnLimits = v.strictObject(
  {
    rate: v.exactOptional(Rate),
    burst: v.exactOptional(Burst),
    perDay: v.exactOptional(integerSetting('perDay', 1, 1_000_000_000)),
    batches: v.exactOptional(
      v.strictObject({ rate: v.exactOptional(Rate), burst: v.exactOptional(Burst) }, EXPECTED_BATCHES),
    ),
  },
  EXPECTED_LIMITS,
);

/** One batch per second: the largest uses 3,678 write units, and a new table accepts 4,000 a second. */
const DEFAULT_LIMITS = { rate: 10, burst: 100, batches: { rate: 1, burst: 10 } };
export const ClientLimits = v.pipe(
  OwnLimits,
  v.transform((own) => ({
    ...DEFAULT_LIMITS,
    ...own,
    batches: { ...DEFAULT_LIMITS.batches, ...own.batches },
  })),
);
export type ClientLimits = v.InferOutput<typeof ClientLimits>;

const EXPECTED_CLIENT = 'A client is its name, or an object with name, username, silenceHours and limits.';

/** Not "-", which the access log has for a request without valid credentials. */
const ClientName = v.pipe(
  v.string(EXPECTED_CLIENT),
  v.check(
    (name) => CLIENT_NAME.test(name) && name !== '-',
    'A client name must have 1 to 64 characters: letters, digits, ".", "_" and "-". It cannot be only "-".',
  ),
);

const Username = v.pipe(
  v.string('A user name must be a string.'),
  v.regex(
    /^[^\p{Cc}\p{Cs}:]{1,128}$/u,
    'A user name must have 1 to 128 characters, without colons (RFC 7617) and control characters.',
  ),
);

/** An alarm can evaluate at most a week. 0 turns off the alarms about a client's batches. */
export const SilenceHours = integerSetting('silenceHours', 0, 168);

const Client = v.union(
  [
    ClientName,
    v.strictObject({
      name: ClientName,
      username: v.optional(Username),
      silenceHours: v.optional(SilenceHours),
      limits: v.optional(OwnLimits),
    }),
  ],
  EXPECTED_CLIENT,
);
type ClientInput = v.InferOutput<typeof Client>;

export type ClientSettings = {
  name: string;
  username: string;
  outputName: string;
  silenceHours: number | undefined;
  limits: v.InferOutput<typeof OwnLimits> | undefined;
};

const toClient = (setting: ClientInput): ClientSettings => {
  const { name, username, silenceHours, limits } = typeof setting === 'string' ? { name: setting } : setting;
  return {
    name,
    username: username ?? name,
    outputName: `SecretName${name.replaceAll(/[^A-Za-z0-9]/g, '')}`,
    silenceHours,
    limits,
  };
};

const requireUnique = (keyOf: (client: ClientSettings) => string, messageFor: (first: number) => string) =>
  v.rawCheck<ClientInput[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const seen = new Map<string, number>();
    for (const [index, setting] of dataset.value.entries()) {
      if (!v.is(Client, setting)) continue;
      const value = keyOf(toClient(setting));
      const first = seen.get(value);
      if (first === undefined) seen.set(value, index);
      else {
        addIssue({
          message: messageFor(first),
          path: [{ type: 'array', origin: 'value', input: dataset.value, key: index, value: setting }],
        });
      }
    }
  });

export const Clients = v.pipe(
  v.array(Client, 'clients must be an array.'),
  v.minLength(1, 'A deployment must have at least one client.'),
  v.maxLength(30, 'A deployment can have at most 30 clients. For more warehouses, deploy another stack.'),
  requireUnique(
    ({ username }) => username,
    (first) => `This client has the same user name as client ${first} (counted from 0).`,
  ),
  requireUnique(
    ({ outputName }) => outputName,
    (first) =>
      `This client has the same name as client ${first} (counted from 0). Names that differ only in ".", "_" and "-" count as the same.`,
  ),
  v.transform((clients) => clients.map(toClient)),
);
