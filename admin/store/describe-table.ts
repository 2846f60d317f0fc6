import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { mapStoreErrors } from '../../shared/storage/store-errors.ts';

export type TableInfo = { id: string; keys: readonly string[]; keyInWords: string; status: string };

/** What a table is, or undefined where there is none of that name. */
export const describeTable = async (client: DynamoDBClient, name: string): Promise<TableInfo | undefined> => {
  try {
    const { Table = {} } = await mapStoreErrors(client.send(new DescribeTableCommand({ TableName: name })));
    return toFacts(name, Table);
  } catch (error) {
    if (error instanceof ResourceNotFoundException || isNoName(error)) return undefined;
    throw error;
  }
};

/** No table can have such a name. */
const isNoName = (error: unknown) => error instanceof Error && error.name === 'ValidationException';

const toFacts = (name: string, table: TableDescription): TableInfo => {
  const schema = table.KeySchema ?? [];
  return {
    // A table is also found by its ARN, so the name that was given does not tell which it is.
    id: table.TableArn ?? name,
    keys: schema.map(({ AttributeName = '' }) => AttributeName),
    keyInWords: schema
      .map(({ AttributeName, KeyType }) => `${AttributeName} (${KeyType}, ${typeOf(AttributeName, table)})`)
      .join(', '),
    status: table.TableStatus ?? 'unknown',
  };
};

const typeOf = (attribute: string | undefined, { AttributeDefinitions = [] }: TableDescription) =>
  AttributeDefinitions.find(({ AttributeName }) => AttributeName === attribute)?.AttributeType;
