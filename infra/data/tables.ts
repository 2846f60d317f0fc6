import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ContributorInsightsMode,
  TableClass,
  TableV2,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { mapValues } from '../../shared/object-keys.ts';
import {
  type ServiceTable,
  serviceTable,
  type TableName,
  tableDefinition,
  tables,
} from '../../shared/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

type TablesProps = {
  ephemeral: boolean;
  /** Undefined if items never expire. */
  retentionDays: number | undefined;
  warmThroughput: { readonly [Name in TableName]?: WarmThroughput } | undefined;
  /** Undefined selects the cheaper class. The other tables are small and read often, so Standard is always cheaper for them. */
  snapshotTableClass: TableClass | undefined;
};

/** Standard-Infrequent Access is cheaper if snapshots are kept this long or longer. `npm run costs` compares the number with the prices. */
export const INFREQUENT_FROM_DAYS = 36;

// If the logical id of a table changes, CloudFormation creates a new, empty table.
// TableV2 creates a global table with one replica, so that other regions can be added later.
export class Tables extends Construct {
  private readonly tables: Record<TableName, TableV2>;
  private readonly retentionDays: number | undefined;

  constructor(
    scope: Construct,
    id: string,
    { ephemeral, retentionDays, warmThroughput = {}, snapshotTableClass }: TablesProps,
  ) {
    super(scope, id);
    this.retentionDays = retentionDays;
    const forSnapshots = {
      tableClass: snapshotTableClass ?? cheaperClass(retentionDays),
      contributorInsightsSpecification: THROTTLED_KEYS,
    };
    this.tables = mapValues(tables, (name) => {
      const { partitionKey, sortKey, expiry } = tableDefinition(name);
      const warm = warmThroughput[name];
      return new TableV2(this, name, {
        partitionKey: stringKey(partitionKey),
        ...(sortKey ? { sortKey: stringKey(sortKey) } : {}),
        ...(expiry ? { timeToLiveAttribute: expiry.attribute } : {}),
        billing: Billing.onDemand(),
        tableClass: TableClass.STANDARD,
        ...(name === 'BalanceSnapshots' ? forSnapshots : {}),
        ...(warm ? { warmThroughput: warm } : {}),
        pointInTimeRecoverySpecification: {
          pointInTimeRecoveryEnabled: true,
          recoveryPeriodInDays: 35,
        },
        deletionProtection: !ephemeral,
        removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      });
    });
  }

  nameOf(table: TableName) {
    return this.tables[table].tableName;
  }

  get arns() {
    return Object.values(this.tables).map(({ tableArn }) => tableArn);
  }

  /** Permits one action on a table, or only on these attributes of it, and sets the variables that the function needs. */
  grantAccess(name: ServiceTable, target: ServiceFunction, action: string, attributes?: readonly string[]) {
    const { variable, expiry } = serviceTable(name);
    const { tableName, tableArn } = this.tables[name];
    const environment = {
      [variable]: tableName,
      ...(expiry && this.retentionDays ? { [expiry.variable]: String(this.retentionDays) } : {}),
    };
    target.grant(`dynamodb:${action}`, tableArn, environment, attributes && onlyAttributes(attributes));
  }
}

/** Without the second condition, a call that names no attributes would read all attributes. */
const onlyAttributes = (attributes: readonly string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
  StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
});

const cheaperClass = (retentionDays = Number.POSITIVE_INFINITY) =>
  retentionDays < INFREQUENT_FROM_DAYS ? TableClass.STANDARD : TableClass.STANDARD_INFREQUENT_ACCESS;

/** Shows which keys were throttled. Only batches write enough in a second to be throttled. */
const THROTTLED_KEYS = { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS };

const stringKey = (name: string): Attribute => ({ name, type: AttributeType.STRING });
