import { BlockList, isIPv6 } from 'node:net';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as v from 'valibot';
import { explainFaults, type Fault } from '../shared/body-faults.ts';

/** The key of cdk.json's context under which a deployment is described. */
export const SETTINGS_KEY = 'warehouse-control';

const ClientName = v.pipe(
  v.string('A client is its name, or an object with name and username.'),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'A client name takes 1 to 64 letters, digits, ".", "_" and "-".'),
);

const Username = v.pipe(
  v.string('A user name has to be a string.'),
  v.regex(
    /^[^\p{Cc}\p{Cs}:]{1,128}$/u,
    'A user name takes 1 to 128 characters without colons (RFC 7617) and control characters.',
  ),
);

const Client = v.union(
  [ClientName, v.strictObject({ name: ClientName, username: v.optional(Username) })],
  'A client is its name, or an object with name and username.',
);
type ClientSetting = v.InferOutput<typeof Client>;

/** A client with everything that follows from its setting. */
export type ClientSettings = { name: string; username: string; outputName: string };

const toClient = (setting: ClientSetting): ClientSettings => {
  const { name, username } = typeof setting === 'string' ? { name: setting, username: undefined } : setting;
  return {
    name,
    username: username ?? name,
    outputName: `SecretName${name.replaceAll(/[^A-Za-z0-9]/g, '')}`,
  };
};

const distinct = (what: string, distinguishing: (client: ClientSettings) => string) =>
  v.rawCheck<ClientSetting[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const seen = new Map<string, number>();
    for (const [index, setting] of dataset.value.entries()) {
      if (!v.is(Client, setting)) continue;
      const value = distinguishing(toClient(setting));
      const first = seen.get(value);
      if (first === undefined) seen.set(value, index);
      else {
        addIssue({
          message: `This client has the same ${what} as client ${first} (counted from 0).`,
          path: [{ type: 'array', origin: 'value', input: dataset.value, key: index, value: setting }],
        });
      }
    }
  });

const whole = (what: string, from: number, to: number) =>
  v.pipe(
    v.number(`${what} has to be a number.`),
    v.integer(`${what} has to be a whole number.`),
    v.minValue(from, `${what} has to be ${from} or more.`),
    v.maxValue(to, `${what} has to be ${to} or less.`),
  );

const Cidr = v.pipe(
  v.string('An address range has to be a string such as "203.0.113.0/24".'),
  v.check((range) => isCidr(range), 'This is no address range such as "203.0.113.0/24" or "2001:db8::/32".'),
);

const isCidr = (range: string) => {
  const [address = '', bits = '', ...rest] = range.split('/');
  if (rest.length > 0 || address.includes('%') || !/^(0|[1-9][0-9]{0,2})$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
};

/** The spans for which CloudWatch keeps logs. */
const LOG_RETENTIONS = Object.values(RetentionDays).filter(
  (days): days is number => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const Domain = v.strictObject(
  {
    name: v.pipe(
      v.string('The domain name has to be a string.'),
      v.regex(
        /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/,
        'The domain name has to be a host name in lower case, such as "wms.example.com".',
      ),
    ),
    certificateArn: v.pipe(
      v.string('The certificate has to be named by its ARN.'),
      v.regex(
        /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/,
        'The certificate has to be named by its ARN in the region of the deployment: arn:aws:acm:…:certificate/….',
      ),
    ),
  },
  'domain has to be an object with name and certificateArn.',
);

/** Every setting of a deployment, with what it is when it is not set. */
const Settings = v.strictObject(
  {
    stackName: v.optional(
      v.pipe(
        v.string('stackName has to be a string.'),
        v.regex(
          /^[A-Za-z][A-Za-z0-9-]{0,127}$/,
          'stackName takes letters, digits and "-", and starts with a letter.',
        ),
      ),
      'WarehouseControl',
    ),
    clients: v.optional(
      v.pipe(
        v.array(Client, 'clients has to be an array.'),
        v.minLength(1, 'A deployment has at least one client.'),
        v.maxLength(30, 'A deployment has at most 30 clients; more warehouses are more deployments.'),
        distinct('user name', ({ username }) => username),
        distinct('name, or one that differs in ".", "_" and "-" alone,', ({ outputName }) => outputName),
        v.transform((clients) => clients.map(toClient)),
      ),
      ['warehouse'],
    ),
    ephemeral: v.optional(v.boolean('ephemeral has to be true or false.'), false),
    credentialOverlapHours: v.optional(whole('credentialOverlapHours', 0, 8_760), 24),
    throttle: v.optional(
      v.strictObject(
        {
          ratePerSecond: v.optional(whole('ratePerSecond', 1, 10_000), 100),
          burst: v.optional(whole('burst', 1, 5_000), 200),
        },
        'throttle has to be an object with ratePerSecond and burst.',
      ),
      {},
    ),
    allowedCidrs: v.optional(
      v.pipe(
        v.array(Cidr, 'allowedCidrs has to be an array.'),
        v.maxLength(100, 'allowedCidrs takes 100 ranges; more do not fit a resource policy.'),
      ),
      [],
    ),
    logRetentionDays: v.optional(
      v.picklist(
        LOG_RETENTIONS,
        `logRetentionDays has to be one of CloudWatch's spans: ${LOG_RETENTIONS.join(', ')}.`,
      ),
      90,
    ),
    snapshotRetentionDays: v.optional(whole('snapshotRetentionDays', 1, 36_500)),
    domain: v.optional(Domain),
  },
  'The settings have to be an object.',
);
export type Settings = v.InferOutput<typeof Settings>;

/** The settings are wrong; the message names every fault with its path. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ detail, pointer }) => `  ${pathOf(pointer)}: ${detail}`);
    super([`The settings under "${SETTINGS_KEY}" in cdk.json are wrong:`, ...lines].join('\n'));
    this.faults = faults;
  }
}

const pathOf = (pointer: string) => {
  const tokens = decodeURIComponent(pointer.slice(2)).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')).join('.') || '(all)';
};

/** From the context of cdk.json, where they are an object, or of `--context`, where they are its JSON. */
export const parseSettings = (context: unknown): Settings => {
  const settings = typeof context === 'string' ? parseJson(context) : (context ?? {});
  const faults = explainFaults(Settings, settings, Number.POSITIVE_INFINITY);
  if (faults.count > 0) throw new SettingsError(faults.listed);
  return v.parse(Settings, settings);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError([{ pointer: '#/', detail: 'What was given on the command line is not JSON.' }]);
  }
};
