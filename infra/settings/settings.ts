import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as v from 'valibot';
import type { Issue } from '../../shared/http/problem.ts';
import { mapValues } from '../../shared/object-keys.ts';
import { validate } from '../../shared/schemas/validate.ts';
import { tableNames, tables } from '../../shared/tables.ts';
import { beginsWithFirstAddress, isCidr } from './address-range.ts';
import { integerSetting } from './integer-setting.ts';
import { Plans } from './plan-settings.ts';

export const SETTINGS_KEY = 'warehouse-control';

export const STAGE_KEY = 'stage';

const pattern = (regex: RegExp, message: string) => v.pipe(v.string(message), v.regex(regex, message));

const EXPECTED_RANGE = 'An address range must be a string such as "203.0.113.0/24" or "2001:db8::/32".';
const Cidr = v.pipe(
  v.string(EXPECTED_RANGE),
  v.check((range) => isCidr(range), EXPECTED_RANGE),
  v.check(
    (range) => !isCidr(range) || beginsWithFirstAddress(range),
    'An address range must begin with its first address, such as "10.0.0.0/8". One address has /32, or /128 for IPv6.',
  ),
);

const LOG_RETENTIONS = Object.values(RetentionDays).filter(
  (days): days is number => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const Domain = v.strictObject(
  {
    name: pattern(
      /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/,
      'The domain name must be a host name in lower case, such as "wms.example.com".',
    ),
    certificateArn: pattern(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/,
      'certificateArn must be the ARN of a certificate in the region of the deployment: arn:aws:acm:…:certificate/….',
    ),
  },
  'domain must be an object with name and certificateArn.',
);

const EXPECTED_EMAIL = 'email must be an email address such as "warehouse-admins@example.com".';

const Alarms = v.strictObject(
  {
    email: v.optional(v.pipe(v.string(EXPECTED_EMAIL), v.email(EXPECTED_EMAIL))),
    wrongCredentialsPerHour: v.optional(integerSetting('wrongCredentialsPerHour', 1, 1_000_000), 20),
    // An alarm looks back a week at most.
    hoursWithoutRequests: v.optional(integerSetting('hoursWithoutRequests', 1, 168)),
    budgetPerMonth: v.optional(integerSetting('budgetPerMonth', 1, 1_000_000)),
    runbook: v.optional(
      pattern(/^\S{1,200}$/, 'runbook must be a URL or a path of at most 200 characters, without spaces.'),
      'docs/runbook.md',
    ),
  },
  'alarms must be an object with email, wrongCredentialsPerHour, hoursWithoutRequests, budgetPerMonth and runbook.',
);

/** An object with at least one of the fields. */
const someOf = <TEntries extends v.ObjectEntries>(fields: TEntries, message: string) =>
  v.pipe(
    v.strictObject(fields, message),
    v.check((value) => Object.keys(value).length > 0, message),
  );

// The lower bounds are the values of a new table. The upper bounds are DynamoDB's quota for a table.
// No defaults: DynamoDB raises both values with use, and a deployment with a lower value fails.
const throughput = {
  readUnitsPerSecond: v.exactOptional(integerSetting('readUnitsPerSecond', 12_000, 40_000)),
  writeUnitsPerSecond: v.exactOptional(integerSetting('writeUnitsPerSecond', 4_000, 40_000)),
};
const TableThroughput = someOf(
  throughput,
  'A table of warmThroughput must be an object with readUnitsPerSecond, writeUnitsPerSecond or both.',
);

/** Units beside the tables are those of BalanceSnapshots, as in version 0.2. */
const WarmThroughput = v.pipe(
  someOf(
    { ...throughput, ...mapValues(tables, () => v.exactOptional(TableThroughput)) },
    `warmThroughput must be an object. Its keys are tables (${tableNames.join(', ')}), and its values have readUnitsPerSecond, writeUnitsPerSecond or both.`,
  ),
  v.transform(({ readUnitsPerSecond, writeUnitsPerSecond, ...byTable }) => {
    const ofSnapshots = {
      ...(readUnitsPerSecond === undefined ? {} : { readUnitsPerSecond }),
      ...(writeUnitsPerSecond === undefined ? {} : { writeUnitsPerSecond }),
      ...byTable.BalanceSnapshots,
    };
    return Object.keys(ofSnapshots).length === 0 ? byTable : { ...byTable, BalanceSnapshots: ofSnapshots };
  }),
);

/** No defaults: a deployment fails if it leaves fewer than 100 executions for the account's other functions. */
const ReservedConcurrency = someOf(
  {
    authorizer: v.exactOptional(integerSetting('authorizer', 1, 10_000)),
    balances: v.exactOptional(integerSetting('balances', 1, 10_000)),
  },
  'reservedConcurrency must be an object with authorizer, balances or both.',
);

/** `dailyFor` is in days, `monthlyFor` in months. AWS Backup keeps a backup for at most 36,500 days. */
const Backup = v.strictObject(
  {
    vaultArn: v.optional(
      pattern(
        /^arn:aws[a-z-]*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/,
        'vaultArn must be the ARN of a vault in another account or region: arn:aws:backup:…:…:backup-vault:….',
      ),
    ),
    dailyFor: integerSetting('dailyFor', 1, 36_500),
    monthlyFor: integerSetting('monthlyFor', 1, 1_200),
  },
  'backup must be an object with dailyFor, monthlyFor and, for copies, vaultArn.',
);

export const Settings = v.strictObject(
  {
    stackName: v.optional(
      v.pipe(
        pattern(
          /^[A-Za-z][A-Za-z0-9-]*$/,
          'stackName must have only letters, digits and "-", and start with a letter.',
        ),
        v.maxLength(60, 'stackName can have at most 60 characters, including the name of the stage.'),
      ),
      'WarehouseControl',
    ),
    plans: v.optional(Plans, {}),
    ephemeral: v.optional(v.boolean('ephemeral must be true or false.'), false),
    throttle: v.optional(
      v.strictObject(
        {
          ratePerSecond: v.optional(integerSetting('ratePerSecond', 1, 10_000), 1_000),
          burst: v.optional(integerSetting('burst', 1, 5_000), 2_000),
        },
        'throttle must be an object with ratePerSecond and burst.',
      ),
      {},
    ),
    reservedConcurrency: v.optional(ReservedConcurrency),
    allowedCidrs: v.optional(
      v.pipe(
        v.array(Cidr, 'allowedCidrs must be an array.'),
        v.maxLength(
          100,
          'allowedCidrs can have at most 100 ranges, because more do not fit a resource policy.',
        ),
      ),
      [],
    ),
    ipv6: v.optional(v.boolean('ipv6 must be true or false.'), false),
    logRetentionDays: v.optional(
      v.picklist(
        LOG_RETENTIONS,
        `logRetentionDays must be one of the retention periods of CloudWatch: ${LOG_RETENTIONS.join(', ')}.`,
      ),
      90,
    ),
    snapshotTableClass: v.optional(
      v.enum(TableClass, `snapshotTableClass must be one of ${Object.values(TableClass).join(', ')}.`),
    ),
    warmThroughput: v.optional(WarmThroughput),
    snapshotRetentionDays: v.optional(integerSetting('snapshotRetentionDays', 1, 36_500)),
    // A table can be restored to any moment of 35 days, so the history goes back at least as far.
    recordRetentionDays: v.optional(integerSetting('recordRetentionDays', 35, 36_500), 400),
    backup: v.optional(Backup),
    domain: v.optional(Domain),
    alarms: v.optional(Alarms, {}),
    tracing: v.optional(v.boolean('tracing must be true or false.'), false),
    dashboard: v.optional(v.boolean('dashboard must be true or false.'), false),
    firewall: v.optional(
      v.strictObject(
        { requestsPerFiveMinutes: integerSetting('requestsPerFiveMinutes', 10, 2_000_000_000) },
        'firewall must be an object with requestsPerFiveMinutes.',
      ),
    ),
    account: v.optional(pattern(/^[0-9]{12}$/, 'The account must be a string of 12 digits.')),
    region: v.optional(
      v.picklist(
        RegionInfo.regions.map(({ name }) => name),
        'The region must be the code of a region, such as "eu-central-1". For a newer region, update aws-cdk-lib.',
      ),
    ),
  },
  'The settings must be an object.',
);
export type Settings = v.InferOutput<typeof Settings>;

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const lines = issues.map(({ detail, pointer }) => `  ${pathOf(pointer)}: ${detail}`);
    super([`The settings under "${SETTINGS_KEY}" in cdk.json are wrong:`, ...lines].join('\n'));
    this.issues = issues;
  }
}

const pathOf = (pointer: string) => {
  const tokens = decodeURIComponent(pointer.slice(2)).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')).join('.') || '(all)';
};

export const issuesOf = (settings: unknown): readonly Issue[] => validateAll(settings).issues ?? [];

export const toSettings = (settings: unknown): Settings => {
  const { output, issues } = validateAll(settings);
  if (issues) throw new SettingsError(issues);
  return output;
};

/** Settings of version 0.2, and what to do now. */
const removedSettings: Record<string, string> = {
  '#/clients': 'Clients are items of the table Clients: `warehouse-admin clients add NAME`.',
  '#/clientLimits': 'Limits belong to plans: `plans.standard`.',
  '#/credentialOverlapHours':
    'Each change of a password has its overlap: `warehouse-admin clients rotate NAME --overlap-hours H`.',
  '#/alarms/silenceHours':
    'Each client has its hours of silence: `warehouse-admin clients set NAME --silence-hours H`.',
};

const validateAll = (settings: unknown) => {
  const { output, issues } = validate(Settings, settings, Number.POSITIVE_INFINITY);
  if (issues) return { issues: issues.listed.map(explainRemoved) };
  const rangeIssues = issuesOfRanges(output);
  return rangeIssues.length > 0 ? { issues: rangeIssues } : { output };
};

const issuesOfRanges = ({ ipv6, allowedCidrs }: Settings): Issue[] =>
  allowedCidrs.flatMap((range, index) =>
    ipv6 || !range.includes(':')
      ? []
      : [{ pointer: `#/allowedCidrs/${index}`, detail: 'An IPv6 range needs the setting "ipv6": true.' }],
  );

const explainRemoved = (issue: Issue): Issue => {
  const advice = removedSettings[issue.pointer];
  return advice ? { ...issue, detail: `This setting is gone. ${advice} See docs/moving.md.` } : issue;
};
