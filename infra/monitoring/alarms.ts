import { Duration } from 'aws-cdk-lib';
import { Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { operationNames, operations } from '../../shared/operations.ts';
import { blockedRequests } from '../api/firewall.ts';
import type { WarehouseApi } from '../api/rest-api.ts';
import type { Backup } from '../data/backup.ts';
import { operationLabel, type ServiceMetrics } from '../service-metrics.ts';
import type { Settings } from '../settings/settings.ts';
import {
  type AlarmDefinition,
  atLeast,
  below,
  FIVE_MINUTES,
  fillWithZeros,
  HOUR,
  nothingIn,
  ONCE,
} from './alarm.ts';
import { alarmsOfFunctions, alarmsOfWatch, type MonitoredFunctions } from './function-alarms.ts';

export type MonitoredResources = MonitoredFunctions & {
  settings: Settings;
  api: WarehouseApi;
  backup: Backup | undefined;
};

const QUARTER_HOUR = Duration.minutes(15);

/** Clients retry, so a single failure needs no alarm. */
const REPEATED = atLeast(1, 2, 3);

export const defineAlarms = (resources: MonitoredResources): AlarmDefinition[] => [
  ...alarmsOfRequests(resources),
  ...alarmsOfFunctions(resources),
  ...alarmsOfWatch(resources),
  ...alarmsOfData(resources),
];

const alarmsOfRequests = ({ settings, api, metrics }: MonitoredResources): AlarmDefinition[] => [
  {
    id: 'ServerErrors',
    event: 'Requests failed with a status of 500 or more in two of the last three 15-minute periods.',
    impact: 'Warehouses are not served. Their data may not be stored, so they have to send it again.',
    runbookSection: 'server-errors',
    metric: api.serverErrors(QUARTER_HOUR),
    condition: REPEATED,
    notifiesWhenEnded: true,
  },
  ...(settings.alarms.hoursWithoutRequests
    ? [noRequests(metrics, settings.alarms.hoursWithoutRequests)]
    : []),
  // Counts the 429 responses without a client in the access log. The next alarm counts the 429 responses with a client.
  {
    id: 'TooManyRequests',
    event: "Requests exceeded the API stage's throttle in two of the last three 15-minute periods.",
    impact: 'Any warehouse may get a 429. It is served only if it sends the request again.',
    runbookSection: 'too-many-requests',
    metric: fillWithZeros(metrics.sum('TooManyRequests', QUARTER_HOUR)),
    condition: REPEATED,
  },
  {
    id: 'ClientLimits',
    event: 'A client exceeded its own limits in two of the last three 15-minute periods.',
    impact: 'That client gets a 429 and has to send the request again. Other clients are served as before.',
    runbookSection: 'client-limits',
    metric: metrics.sumByClient('LimitedRequests', QUARTER_HOUR),
    condition: REPEATED,
  },
  ...(settings.firewall ? [firewallBlocks(settings.stackName)] : []),
  ...(settings.domain ? [certificateExpiry(settings.domain.certificateArn)] : []),
  {
    id: 'WrongCredentials',
    event: 'Requests had wrong credentials in three of the last four 15-minute periods.',
    impact: 'A warehouse has wrong credentials: it cannot send anything and gets no lists.',
    runbookSection: 'wrong-credentials',
    metric: fillWithZeros(metrics.sum('WrongCredentials', QUARTER_HOUR)),
    condition: atLeast(1, 3, 4),
  },
  {
    id: 'ManyWrongCredentials',
    event: `Requests had wrong credentials ${settings.alarms.wrongCredentialsPerHour} times or more within an hour.`,
    impact: 'Somebody may be guessing credentials, or a warehouse with wrong credentials retries in a loop.',
    runbookSection: 'wrong-credentials',
    metric: metrics.sum('WrongCredentials', HOUR),
    condition: atLeast(settings.alarms.wrongCredentialsPerHour),
  },
];

/** Nothing else notices that DNS, the certificate or TLS keeps all requests away. Requests of strangers have no client. */
const noRequests = (metrics: ServiceMetrics, hours: number): AlarmDefinition => ({
  id: 'NoRequests',
  event: `No request of a client arrived in the last ${hours === 1 ? 'hour' : `${hours} hours`}.`,
  impact: 'Perhaps no warehouse can reach the service. Their data is missing, and they have old lists.',
  runbookSection: 'silence',
  ...nothingIn(hours, metrics.sum('ClientRequests', HOUR)),
});

const firewallBlocks = (stackName: string): AlarmDefinition => ({
  id: 'FirewallBlocks',
  event: 'The firewall blocked an address that sent too many requests.',
  impact: 'If it is the address of a warehouse, that warehouse is not served.',
  runbookSection: 'firewall-blocks',
  metric: blockedRequests(stackName, HOUR),
  condition: ONCE,
});

const certificateExpiry = (certificateArn: string): AlarmDefinition => ({
  id: 'CertificateExpiry',
  event: 'The certificate of the domain expires in less than 21 days.',
  impact: 'No request has failed yet. After the expiry, no warehouse can connect to the domain.',
  runbookSection: 'certificate',
  metric: new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    dimensionsMap: { CertificateArn: certificateArn },
    statistic: Stats.MINIMUM,
    period: Duration.days(1),
  }),
  // The metric ends when the certificate expires. The alarm must not end then.
  condition: below(21, 1, TreatMissingData.IGNORE),
});

const alarmsOfData = ({ backup, metrics }: MonitoredResources): AlarmDefinition[] => [
  ...operationNames.map((name): AlarmDefinition => {
    const { table, impact } = operations[name];
    return {
      id: `Throttled-${table}`,
      event: `The table ${table} refused calls for so long that a request failed.`,
      impact: `A request got a 503 and has to be sent again. If all requests fail: ${impact}`,
      runbookSection: 'table-throttles',
      // Counts requests, not calls: a throttled call whose retry succeeded needs no alarm.
      metric: metrics.sum('ThrottledRequests', FIVE_MINUTES, { operation: operationLabel(name) }),
      condition: ONCE,
    };
  }),
  ...(backup ? [noBackups(backup)] : []),
  {
    id: 'RefusedBatches',
    event: 'A batch of a client was refused.',
    impact:
      'The balances of that batch are not stored. People who read the balances of the client see earlier balances.',
    runbookSection: 'refused-batches',
    metric: metrics.sumByClient('RefusedBatches', HOUR),
    condition: ONCE,
  },
];

/** A failed backup sends a message of its own. This alarm tells that no backups are made at all. */
const noBackups = (backup: Backup): AlarmDefinition => ({
  id: 'NoBackups',
  event: 'For two days, no table had a successful backup.',
  impact: 'Warehouses notice nothing. New data is in no backup until the next backup succeeds.',
  runbookSection: 'backups',
  ...nothingIn(2, backup.completed(Duration.days(1))),
  notifiesWhenEnded: true,
});
