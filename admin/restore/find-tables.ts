import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { mapStorageErrors } from '../../shared/storage/storage-errors.ts';
import { isList, type TableName } from '../../shared/tables.ts';
import { requireRecords } from '../deployment/deployment.ts';
import type { Session } from '../deployment/session.ts';
import { Failure } from '../text/failure.ts';

const READABLE = ['ACTIVE', 'UPDATING'];

/** Returns the names and the key of both tables. Throws if `from` cannot be copied to the live table. */
export const findTables = async ({ deployment }: Session, table: TableName, from: string) => {
  const { dynamodb, tables, name: deploymentName } = deployment;
  if (isList(table)) requireRecords(deployment);
  const to = table === 'AdminRecords' ? requireRecords(deployment).table : tables[table];
  const [source, live] = await Promise.all([describeTable(dynamodb, from), describeTable(dynamodb, to)]);
  const refusal = live
    ? refusalOf(table, from, { source, live, deploymentName })
    : `The table ${table} of ${deploymentName} does not exist: ${to}.`;
  if (!live || refusal) throw new Failure(`${refusal} Nothing was written.`);
  return { from, to, keys: live.keys };
};

type TablePair = { source: TableInfo | undefined; live: TableInfo; deploymentName: string };

const refusalOf = (table: TableName, from: string, { source, live, deploymentName }: TablePair) => {
  if (!source) {
    return `There is no table ${from} in the account and region of ${deploymentName}. Give the name of the restored table with --from.`;
  }
  if (source.id === live.id) {
    return `${from} is the live table ${table} itself. Give the name of the restored table.`;
  }
  if (source.keyText !== live.keyText) {
    return `${from} is not a copy of ${table}: its key is ${source.keyText}, not ${live.keyText}.`;
  }
  if (READABLE.includes(source.status)) return undefined;
  return `${from} cannot be read yet: its status is ${source.status}. Wait until it is ACTIVE.`;
};

type TableInfo = { id: string; keys: readonly string[]; keyText: string; status: string };

const describeTable = async (dynamodb: DynamoDBClient, name: string): Promise<TableInfo | undefined> => {
  try {
    const { Table = {} } = await mapStorageErrors(
      dynamodb.send(new DescribeTableCommand({ TableName: name })),
    );
    return toTableInfo(name, Table);
  } catch (error) {
    if (error instanceof ResourceNotFoundException || isImpossibleName(error)) return undefined;
    throw error;
  }
};

/** DynamoDB refuses a name that no table can have. */
const isImpossibleName = (error: unknown) => error instanceof Error && error.name === 'ValidationException';

const toTableInfo = (name: string, table: TableDescription): TableInfo => {
  const schema = table.KeySchema ?? [];
  return {
    // --from may be a name or an ARN, so only the ARN tells whether both tables are the same.
    id: table.TableArn ?? name,
    keys: schema.map(({ AttributeName = '' }) => AttributeName),
    keyText: schema
      .map(({ AttributeName, KeyType }) => `${AttributeName} (${KeyType}, ${typeOf(AttributeName, table)})`)
      .join(', '),
    status: table.TableStatus ?? 'unknown',
  };
};

const typeOf = (attribute: string | undefined, { AttributeDefinitions = [] }: TableDescription) =>
  AttributeDefinitions.find(({ AttributeName }) => AttributeName === attribute)?.AttributeType;
