import * as v from 'valibot';

export const integerSetting = (label: string, from: number, to: number) =>
  v.pipe(
    v.number(`${label} has to be a number.`),
    v.integer(`${label} has to be a whole number.`),
    v.minValue(from, `${label} has to be ${from} or more.`),
    v.maxValue(to, `${label} has to be ${to} or less.`),
  );

/** Below one, a rate is a request in several seconds. AWS takes fractions of a rate, but not of a burst. */
const Rate = v.pipe(
  v.number('rate has to be a number.'),
  v.minValue(0.01, 'rate has to be 0.01 or more.'),
  v.maxValue(10_000, 'rate has to be 10000 or less.'),
);
const Burst = integerSetting('burst', 1, 5_000);
const PerDay = integerSetting('perDay', 1, 1_000_000_000);

const LIMITS = 'The limits of clients have to be an object with rate, burst, perDay and batches.';
const BATCHES = 'batches has to be an object with rate and burst.';

/**
 * What the gateway accepts from each client. A batch of 40,000 entries takes 3,679 write units, and a new table accepts
 * 4,000 a second, so batches have a lower rate.
 */
export const ClientLimits = v.strictObject(
  {
    rate: v.optional(Rate, 10),
    burst: v.optional(Burst, 100),
    perDay: v.exactOptional(PerDay),
    batches: v.optional(
      v.strictObject({ rate: v.optional(Rate, 1), burst: v.optional(Burst, 10) }, BATCHES),
      {},
    ),
  },
  LIMITS,
);
export type ClientLimits = v.InferOutput<typeof ClientLimits>;

/** One client's own limits. The other fields are those of all clients. */
const OwnLimits = v.strictObject(
  {
    rate: v.exactOptional(Rate),
    burst: v.exactOptional(Burst),
    perDay: v.exactOptional(PerDay),
    batches: v.exactOptional(
      v.strictObject({ rate: v.exactOptional(Rate), burst: v.exactOptional(Burst) }, BATCHES),
    ),
  },
  LIMITS,
);

const ONE_CLIENT = 'A client is its name, or an object with name, username, silenceHours and limits.';

const ClientName = v.pipe(
  v.string(ONE_CLIENT),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'A client name takes 1 to 64 letters, digits, ".", "_" and "-".'),
);

const Username = v.pipe(
  v.string('A user name has to be a string.'),
  v.regex(
    /^[^\p{Cc}\p{Cs}:]{1,128}$/u,
    'A user name takes 1 to 128 characters without colons (RFC 7617) and control characters.',
  ),
);

/** An alarm evaluates a week at most. 0 for a client means no alarm about its batches, because nobody waits for them. */
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
  ONE_CLIENT,
);
type ClientInput = v.InferOutput<typeof Client>;

/** A client with its defaults and the name of its output. */
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

const unique = (label: string, keyOf: (client: ClientSettings) => string) =>
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
          message: `This client has the same ${label} as client ${first} (counted from 0).`,
          path: [{ type: 'array', origin: 'value', input: dataset.value, key: index, value: setting }],
        });
      }
    }
  });

export const Clients = v.pipe(
  v.array(Client, 'clients has to be an array.'),
  v.minLength(1, 'A deployment has at least one client.'),
  v.maxLength(30, 'A deployment has at most 30 clients; more warehouses are more deployments.'),
  unique('user name', ({ username }) => username),
  unique('name, or one that differs in ".", "_" and "-" alone,', ({ outputName }) => outputName),
  v.transform((clients) => clients.map(toClient)),
);
