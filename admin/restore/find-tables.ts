import type { TableName } from '../../shared/tables.ts';
import { Failure } from '../cli/failure.ts';
import type { Session } from '../deployment/session.ts';
import { describeTable, type TableInfo } from '../store/describe-table.ts';

const READABLE = ['ACTIVE', 'UPDATING'];

/** Returns the names and the key of both tables. Refuses tables that cannot be copied from one to the other. */
export const findTables = async ({ deployment }: Session, table: TableName, from: string) => {
  const { dynamodb, tables, what } = deployment;
  const to = tables[table];
  const [source, live] = await Promise.all([describeTable(dynamodb, from), describeTable(dynamodb, to)]);
  if (!live) throw new Failure(`The table ${table} of ${what} is not there: ${to}. ${NOTHING}`);
  if (!source) {
    throw new Failure(
      `There is no table ${from} where ${what} is. Give the name of the restored table with --from. ${NOTHING}`,
    );
  }
  refuseUnfit(table, from, { source, live });
  return { from, to, keys: live.keys };
};

const NOTHING = 'Nothing was written.';

type Both = { source: TableInfo; live: TableInfo };

const refuseUnfit = (table: TableName, from: string, { source, live }: Both) => {
  if (source.id === live.id) {
    throw new Failure(
      `${from} is the table ${table} of this deployment itself. Give the name of the restored one. ${NOTHING}`,
    );
  }
  if (source.keyText !== live.keyText) {
    throw new Failure(
      `${from} is no copy of ${table}: its key is ${source.keyText}, and not ${live.keyText}. ${NOTHING}`,
    );
  }
  if (!READABLE.includes(source.status)) {
    throw new Failure(
      `${from} cannot be read yet: its status is ${source.status}. Wait until it is ACTIVE. ${NOTHING}`,
    );
  }
};
