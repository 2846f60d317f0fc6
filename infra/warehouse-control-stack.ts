import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { variables } from '../shared/environment.ts';
import { Credentials } from './credentials.ts';
import { WarehouseApi } from './rest-api.ts';
import { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';
import { Tables, tableNames } from './tables.ts';

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
    const serviceFunction = (id: string, name: string, memorySize: number, timeout = TIME_FOR_THE_STORE) =>
      new ServiceFunction(this, id, { name, memorySize, timeout, ...logs });

    const tables = new Tables(this, 'Tables', { ephemeral });
    const credentials = new Credentials(this, 'Credentials', {
      clients: settings.clients,
      overlapHours: settings.credentialOverlapHours,
      ephemeral,
    });

    // What a function takes of a processor goes by its memory: 1,769 MB is a whole one. A batch of 40,000 entries
    // and a full list need it; the others wait for the network. A change is small, but the largest body that reaches
    // its function takes many times its own size to be parsed and refused.
    const authorizer = serviceFunction('Authorizer', 'authorizer', 512, TIME_FOR_SECRETS);
    const postChange = serviceFunction('PostChange', 'post-change', 1_024);
    const getMaterialCodes = serviceFunction('GetMaterialCodes', 'get-material-codes', 1_769);
    const getPurchaseOrders = serviceFunction('GetPurchaseOrders', 'get-purchase-orders', 1_769);
    const postBalances = serviceFunction('PostMaterialStockBalance', 'post-material-stock-balance', 1_769);

    credentials.bind(authorizer);
    tables.bind('ChangeTimestamps', postChange, 'dynamodb:PutItem');
    tables.bind('MaterialCodes', getMaterialCodes, 'dynamodb:Scan');
    tables.bind('PurchaseOrders', getPurchaseOrders, 'dynamodb:Scan');
    tables.bind('BalanceSnapshots', postBalances, 'dynamodb:PutItem');
    if (settings.snapshotRetentionDays !== undefined) {
      postBalances.function.addEnvironment(
        variables.snapshotRetentionDays,
        String(settings.snapshotRetentionDays),
      );
    }

    const api = new WarehouseApi(this, 'Api', {
      authorizer: authorizer.function,
      operations: {
        'post-change': postChange.function,
        'get-material-codes': getMaterialCodes.function,
        'get-purchase-orders': getPurchaseOrders.function,
        'post-material-stock-balance': postBalances.function,
      },
      settings,
      ...logs,
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
    if (api.domainTarget) {
      output('DomainTarget', api.domainTarget, 'What the DNS record of the domain has to point to');
    }
  }
}
