import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { mapStoreErrors } from '../../shared/storage/store-errors.ts';

export type TableInfo = { id: string; keys: readonly string[]; keyText: string; status: string };

/** Undefined when there is no table of that name. */
export const describeTable = async (client: DynamoDBClient, name: string): Promise<TableInfo | undefined> => {
  try {
    const { Table = {} } = await mapStoreErrors(client.send(new DescribeTableCommand({ TableName: name })));
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
    // A table can also be named by its ARN, so the given name does not identify it.
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
