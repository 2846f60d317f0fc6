import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from './dynalite.ts';

type Json = Record<string, unknown>;

const CONDITION_FAILED = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
const CANCELED = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';

/**
 * Returns a function that executes a request. It adds what dynalite lacks: transactions, and the stored item in the
 * response to a failed condition. CreateTable and DeleteTable respond when the table is created or deleted.
 */
export const createRequestHandler = (send: Send, headers: IncomingHttpHeaders) => {
  const call = async (operation: string, input: Json) => {
    const target = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const { status, body } = await send({ ...headers, ...target }, JSON.stringify(input));
    return { status, output: JSON.parse(body) };
  };

  const describe = async (TableName: unknown) => (await call('DescribeTable', { TableName })).output.Table;

  const keyOf = async ({ TableName, Key, Item }: Json) => {
    if (Key) return Key;
    const names: { AttributeName: string }[] = (await describe(TableName)).KeySchema;
    return Object.fromEntries(names.map(({ AttributeName: name }) => [name, Object(Item)[name]]));
  };

  const callAndComplete = async (operation: string, input: Json) => {
    const { status, output } = await call(operation, input);
    if (status === 200 && (operation === 'CreateTable' || operation === 'DeleteTable')) {
      const { TableName, TableStatus } = output.TableDescription;
      while ((await describe(TableName))?.TableStatus === TableStatus) await sleep(1);
    }
    const wantsItem = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
    if (!wantsItem || output.__type !== CONDITION_FAILED) return { status, output };
    const Key = await keyOf(input);
    const stored = await call('GetItem', { TableName: input['TableName'], Key, ConsistentRead: true });
    return { status, output: { ...output, ...stored.output } };
  };

  /** Runs the writes one by one, and undoes them if a write fails. If the process is killed, some writes may remain. */
  const transact = async ({ TransactItems }: Json) => {
    const undoSteps: (() => Promise<unknown>)[] = [];
    const undoAll = async (output: Json) => {
      for (const undo of undoSteps.reverse()) await undo();
      return { status: 400, output };
    };
    const reasons: Json[] = [];
    for (const item of Object.values(Object(TransactItems))) {
      // An item is an object such as {"Put": {…}}.
      const [action = ''] = Object.keys(Object(item));
      const write: Json = Object(Object(item)[action]);
      const { status, output } = await callAndComplete(`${action}Item`, {
        ...write,
        ReturnValues: 'ALL_OLD',
      });
      if (status === 200) {
        const { TableName } = write;
        const Key = await keyOf(write);
        undoSteps.push(() =>
          output.Attributes
            ? call('PutItem', { TableName, Item: output.Attributes })
            : call('DeleteItem', { TableName, Key }),
        );
        reasons.push({ Code: 'None' });
      } else if (output.__type === CONDITION_FAILED) {
        reasons.push({ Code: 'ConditionalCheckFailed', Message: output.message, Item: output.Item });
      } else {
        return undoAll(output);
      }
    }
    const codes = reasons.map(({ Code }) => Code);
    if (codes.every((code) => code === 'None')) return { status: 200, output: {} };
    const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`;
    return undoAll({ __type: CANCELED, message, CancellationReasons: reasons });
  };

  return (operation: string, input: Json) =>
    operation === 'TransactWriteItems' ? transact(input) : callAndComplete(operation, input);
};
