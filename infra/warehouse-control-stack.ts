import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { SignInClient, WatchedClient } from '../shared/clients/client.ts';
import { encodePlans } from '../shared/clients/plans.ts';
import { variables } from '../shared/environment.ts';
import { mapValues } from '../shared/object-keys.ts';
import { type OperationName, operationNames, operations } from '../shared/operations.ts';
import { tableNames } from '../shared/tables.ts';
import { countFromAccessLog } from './api/access-log.ts';
import { addFirewall, recommendFirewall } from './api/firewall.ts';
import { WarehouseApi } from './api/rest-api.ts';
import { Backup } from './data/backup.ts';
import { Tables } from './data/tables.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { ServiceMetrics } from './service-metrics.ts';
import type { Settings } from './settings/settings.ts';
import { compactStackUuid } from './stack-uuid.ts';

/** A function responds 1 s before this timeout. Together with AUTHORIZER_TIMEOUT, it is shorter than the 30 s that a caller's program waits. */
const OPERATION_TIMEOUT = Duration.seconds(18);
/** The authorizer reads for at most 8 s. */
const AUTHORIZER_TIMEOUT = Duration.seconds(9);
/** The watch reads for at most 90 s. */
const WATCH_TIMEOUT = Duration.minutes(2);

type WarehouseControlProps = StackProps & {
  settings: Settings;
  /** Undefined if the settings have no stages. The tag `stage` is then the name of the stack. */
  stage?: string;
};

export class WarehouseControlStack extends Stack {
  constructor(scope: Construct, id: string, { settings, stage, ...props }: WarehouseControlProps) {
    const tags = { service: settings.stackName, stage: stage ?? settings.stackName };
    super(scope, id, { ...props, tags });
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);
    const { ephemeral, reservedConcurrency } = settings;
    const logs = {
      logRetention: settings.logRetentionDays,
      logRemoval: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    };
    const metrics = new ServiceMetrics(settings.stackName);
    const environment = { [variables.metricsNamespace]: metrics.namespace };
    const tables = new Tables(this, 'Tables', {
      ephemeral,
      retentionDays: settings.snapshotRetentionDays,
      warmThroughput: settings.warmThroughput,
      snapshotTableClass: settings.snapshotTableClass,
    });
    const backup =
      settings.backup && new Backup(this, 'Backup', { ...settings.backup, tableArns: tables.arns });
    const authorizer = new ServiceFunction(this, 'Authorizer', {
      name: 'authorizer',
      timeout: AUTHORIZER_TIMEOUT,
      impact: 'No warehouse can sign in, so the service serves nobody.',
      environment: {
        ...environment,
        [variables.plans]: encodePlans(settings.plans),
        [variables.stackUuid]: compactStackUuid(),
      },
      reservedConcurrency: reservedConcurrency?.authorizer,
      ...logs,
    });
    tables.grantAccess('Clients', authorizer, 'Scan', Object.keys(SignInClient.entries));
    const watch = new ServiceFunction(this, 'Watch', {
      name: 'watch',
      timeout: WATCH_TIMEOUT,
      impact: 'Nobody learns that a warehouse has stopped sending batches.',
      environment,
      ...logs,
    });
    tables.grantAccess('Clients', watch, 'Scan', Object.keys(WatchedClient.entries));
    tables.grantAccess('BalanceSnapshots', watch, 'Query', ['Client', 'SnapshotId']);
    const functions = mapValues(operations, (name) => {
      const { table, action, impact } = operations[name];
      const serviceFunction = new ServiceFunction(this, constructId(name), {
        name,
        timeout: OPERATION_TIMEOUT,
        impact,
        environment,
        reservedConcurrency:
          name === 'post-material-stock-balance' ? reservedConcurrency?.balances : undefined,
        ...logs,
      });
      tables.grantAccess(table, serviceFunction, action);
      return serviceFunction;
    });

    const api = new WarehouseApi(this, 'Api', {
      authorizer: authorizer.function,
      operations: mapValues(operations, (name) => functions[name].function),
      settings,
      ...logs,
    });

    if (settings.firewall) addFirewall(this, api, settings.stackName, settings.firewall);
    else if (!ephemeral) recommendFirewall(api);

    countFromAccessLog(api.accessLog, metrics, settings.alarms);
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings,
      authorizer,
      functions: Object.values(functions),
      watch,
      api,
      backup,
      metrics,
    });

    const output = (id: string, value: string | undefined, description: string) => {
      if (value) new CfnOutput(this, id, { value, description });
    };
    output('BaseUrl', api.baseUrl, 'The base URL of the interface, without a slash at its end');
    for (const table of tableNames) {
      output(`${table}TableName`, tables.nameOf(table), `The table ${table}`);
    }
    output(
      'RecordRetentionDays',
      String(settings.recordRetentionDays),
      'The days for which AdminRecords keeps the history of the lists',
    );
    const readers = operationNames.filter((name) => 'body' in operations[name]);
    output(
      'RefusalLogGroups',
      Fn.join(
        ',',
        readers.map((name) => functions[name].log.logGroupName),
      ),
      'The log groups of the functions that refuse bodies',
    );
    output('Plans', encodePlans(settings.plans), 'The plans of clients, and how many slots each has');
    output(
      'AlarmTopicArn',
      monitoring.topicArn,
      'The SNS topic of the alarms. Subscribe to it to receive them.',
    );
    output('DashboardUrl', monitoring.dashboardUrl, 'The URL of the dashboard');
    output('BackupVaultName', backup?.vaultName, 'The vault with the backups of the tables');
    const domain = api.restApi.domainName;
    output('DomainTarget', domain?.domainNameAliasDomainName, 'The target for the DNS record of the domain');
    output('DomainTargetZoneId', domain?.domainNameAliasHostedZoneId, 'The hosted zone of this target');
  }
}

/** Turns post-change into PostChange. */
const constructId = (name: OperationName) =>
  name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
