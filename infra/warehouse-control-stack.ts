import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../shared/environment.ts';
import { type OperationName, operations } from '../shared/operations.ts';
import { mapValues } from '../shared/records.ts';
import { tableNames } from '../shared/tables.ts';
import { countFromAccessLog } from './api/access-log.ts';
import { addFirewall } from './api/firewall.ts';
import { WarehouseApi } from './api/rest-api.ts';
import { Credentials } from './data/credentials.ts';
import { Tables } from './data/tables.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { ServiceMetrics } from './monitoring/service-metrics.ts';
import type { Settings } from './settings/settings.ts';

/**
 * A request waits for the authorizer and then for its function, which answers a second before its time is up: within
 * 26 seconds in all, although the gateway's 29 are for the function alone. Clients are told of 30.
 */
const TIME_FOR_THE_STORE = Duration.seconds(18);
/** Three attempts at the current password, and as many at the one before. */
const TIME_FOR_SECRETS = Duration.seconds(9);

/** The whole service. It composes; what each part is stands in the part's own file. */
export class WarehouseControlStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: StackProps & { settings: Settings }) {
    super(scope, id, props);
    const { ephemeral } = settings;
    const logs = {
      logRetention: settings.logRetentionDays,
      logRemoval: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    };
    const metrics = new ServiceMetrics(settings.stackName);
    const environment = { [variables.metricsNamespace]: metrics.namespace };
    const tables = new Tables(this, 'Tables', { ephemeral, retentionDays: settings.snapshotRetentionDays });
    const credentials = new Credentials(this, 'Credentials', {
      clients: settings.clients,
      overlapHours: settings.credentialOverlapHours,
      ephemeral,
    });

    const authorizer = new ServiceFunction(this, 'Authorizer', {
      name: 'authorizer',
      timeout: TIME_FOR_SECRETS,
      impact: 'No warehouse can sign in, so none is served.',
      environment,
      ...logs,
    });
    credentials.bind(authorizer);
    const functions = mapValues(operations, (name) => {
      const { table, action, impact } = operations[name];
      const timeout = TIME_FOR_THE_STORE;
      const user = new ServiceFunction(this, constructId(name), {
        name,
        timeout,
        impact,
        environment,
        ...logs,
      });
      tables.bind(table, user, action);
      return user;
    });

    const api = new WarehouseApi(this, 'Api', {
      authorizer: authorizer.function,
      operations: mapValues(operations, (name) => functions[name].function),
      settings,
      ...logs,
    });

    if (settings.firewall) addFirewall(this, api, settings.firewall);

    countFromAccessLog(api.accessLog, metrics);
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings,
      authorizer,
      functions: Object.values(functions),
      api,
      tables,
      metrics,
    });

    const output = (id: string, value: string, description: string) =>
      new CfnOutput(this, id, { value, description });
    output('BaseUrl', api.baseUrl, 'What the paths of the interface are appended to');
    for (const table of tableNames) {
      output(`${table}TableName`, tables.nameOf(table), `The table ${table}`);
    }
    for (const { client, secretName } of credentials.secretNames) {
      output(client.outputName, secretName, `The secret with the credentials of the client ${client.name}`);
    }
    // What the admin's commands have to know of the settings.
    output('ClientNames', settings.clients.map(({ name }) => name).join(), 'The clients that may sign in');
    output(
      'CredentialOverlapHours',
      String(settings.credentialOverlapHours),
      'How long a replaced password stays good',
    );
    output('AlarmTopicArn', monitoring.topicArn, 'The topic of the alarms, for whoever wants to be told');
    output('DashboardUrl', monitoring.dashboardUrl, 'Where the dashboard is seen');
    if (api.domainTarget) {
      output('DomainTarget', api.domainTarget, 'What the DNS record of the domain has to point to');
    }
  }
}

/** post-change becomes PostChange. */
const constructId = (name: OperationName) =>
  name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
