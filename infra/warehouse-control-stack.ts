import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../shared/environment.ts';
import { type OperationName, operations } from '../shared/operations.ts';
import { mapValues } from '../shared/records.ts';
import { tableNames } from '../shared/tables.ts';
import { countFromAccessLog } from './api/access-log.ts';
import { addFirewall, recommendFirewall } from './api/firewall.ts';
import { WarehouseApi } from './api/rest-api.ts';
import { Backup } from './data/backup.ts';
import { Credentials } from './data/credentials.ts';
import { Tables } from './data/tables.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { ServiceMetrics } from './service-metrics.ts';
import type { Settings } from './settings/settings.ts';

/** A function responds 1 s before this timeout. With the authorizer's 9 s, that is within the 30 s that clients wait. */
const STORE_TIMEOUT = Duration.seconds(18);
/** Enough for three attempts to read the current password and three to read the previous one. */
const SECRETS_TIMEOUT = Duration.seconds(9);

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
    const credentials = new Credentials(this, 'Credentials', {
      clients: settings.clients,
      overlapHours: settings.credentialOverlapHours,
      ephemeral,
    });

    const authorizer = new ServiceFunction(this, 'Authorizer', {
      name: 'authorizer',
      timeout: SECRETS_TIMEOUT,
      impact: 'No warehouse can sign in, so none is served.',
      environment,
      reservedConcurrency: reservedConcurrency?.authorizer,
      ...logs,
    });
    credentials.grantAccess(authorizer);
    const functions = mapValues(operations, (name) => {
      const { table, action, impact } = operations[name];
      const serviceFunction = new ServiceFunction(this, constructId(name), {
        name,
        timeout: STORE_TIMEOUT,
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
      clients: credentials.secretNames,
      settings,
      ...logs,
    });

    if (settings.firewall) addFirewall(this, api, settings.stackName, settings.firewall);
    else if (!ephemeral) recommendFirewall(api);

    countFromAccessLog(api.accessLog, metrics);
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings,
      authorizer,
      functions: Object.values(functions),
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
    for (const { client, secretName } of credentials.secretNames) {
      output(client.outputName, secretName, `The secret with the credentials of the client ${client.name}`);
    }
    // The admin commands read the next three outputs.
    output('ClientNames', settings.clients.map(({ name }) => name).join(), 'The clients that may sign in');
    output(
      'SilenceHours',
      settings.clients.map(({ silenceHours }) => silenceHours ?? settings.alarms.silenceHours).join(),
      'The hours without a batch after which each of these clients is late. 0 means never.',
    );
    output(
      'CredentialOverlapHours',
      String(settings.credentialOverlapHours),
      'How many hours a replaced password stays valid',
    );
    output(
      'AlarmTopicArn',
      monitoring.topicArn,
      'The SNS topic of the alarms. Subscribe to it to receive them.',
    );
    output('DashboardUrl', monitoring.dashboardUrl, 'The address of the dashboard');
    output('BackupVaultName', backup?.vaultName, 'The vault with the backups of the tables');
    output('DomainTarget', api.domainTarget, 'The target for the DNS record of the domain');
  }
}

/** Turns post-change into PostChange. */
const constructId = (name: OperationName) =>
  name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
