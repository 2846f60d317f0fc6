import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type Attribute, AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { variables } from '../../shared/environment.ts';
import { forEachTable, type TableName, tableNames } from '../../shared/tables.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

const definitions = {
  MaterialCodes: { keys: ['MaterialCode'], variable: variables.materialCodesTable },
  PurchaseOrders: { keys: ['PurchaseOrder'], variable: variables.purchaseOrdersTable },
  ChangeTimestamps: { keys: ['Client', 'Timestamp'], variable: variables.changeTimestampsTable },
  BalanceSnapshots: { keys: ['Client', 'SnapshotId'], variable: variables.balanceSnapshotsTable },
} satisfies Record<TableName, { keys: readonly string[]; variable: string }>;

export { type TableName, tableNames };

type Action = 'dynamodb:PutItem' | 'dynamodb:Scan';

/** The four tables. Their logical ids are what keeps their contents: a renamed table is a new and empty one. */
export class Tables extends Construct {
  private readonly tables: Record<TableName, Table>;

  constructor(scope: Construct, id: string, props: { ephemeral: boolean }) {
    super(scope, id);
    const table = (name: TableName) => {
      const [partitionKey, sortKey] = definitions[name].keys.map(stringKey);
      if (!partitionKey) throw new Error(`The table ${name} has no key.`);
      return new Table(this, name, {
        partitionKey,
        ...(sortKey ? { sortKey } : {}),
        ...(name === 'BalanceSnapshots' ? { timeToLiveAttribute: 'ExpiresAt' } : {}),
        billingMode: BillingMode.PAY_PER_REQUEST,
        pointInTimeRecoverySpecification: {
          pointInTimeRecoveryEnabled: true,
          recoveryPeriodInDays: 35,
        },
        deletionProtection: !props.ephemeral,
        removalPolicy: props.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      });
    };
    this.tables = forEachTable(table);
  }

  nameOf(table: TableName) {
    return this.tables[table].tableName;
  }

  /** What CloudWatch counts of a table, summed up. */
  metric(table: TableName, metricName: string, period: Duration) {
    return this.tables[table].metric(metricName, {
      statistic: Stats.SUM,
      period,
      label: `${table} ${metricName}`,
    });
  }

  /** Gives a function one table and what it does there. */
  bind(table: TableName, user: ServiceFunction, action: Action) {
    const { tableName, tableArn } = this.tables[table];
    user.use({ [definitions[table].variable]: tableName }, [action], [tableArn]);
  }
}

const stringKey = (name: string): Attribute => ({ name, type: AttributeType.STRING });
