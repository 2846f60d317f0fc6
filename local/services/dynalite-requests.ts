import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Send } from './dynalite.ts';

type Json = Record<string, unknown>;

const CONDITION_FAILED = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
const CANCELED = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
const SERIALIZATION = 'com.amazon.coral.service#SerializationException';

/**
 * Adds what dynalite lacks: transactions, and the stored item in the response to a failed condition. The response to
 * CreateTable and DeleteTable waits until the table is created or deleted.
 */
export class DynaliteRequest {
  private readonly send: Send;
  private readonly headers: IncomingHttpHeaders;

  constructor(send: Send, headers: IncomingHttpHeaders) {
    this.send = send;
    this.headers = headers;
  }

  async answer(method: string, body: string): Promise<Answer> {
    const operation = String(this.headers['x-amz-target']).split('.')[1];
    const input = parseObject(body || '{}');
    // Dynalite ends its process on the body `null`.
    if (!input) return answerOf(400, { __type: SERIALIZATION });
    if (operation === 'TransactWriteItems') return this.transact(input);
    const answer = await this.send(method, this.headers, body);
    if (operation === 'CreateTable' || operation === 'DeleteTable') await this.waitForTable(answer);
    return answer.status === 400 ? this.addStoredItem(input, answer) : answer;
  }

  /** Runs the writes one by one, and undoes them if one fails. If the process is killed, some writes may remain. */
  private async transact({ TransactItems }: Json): Promise<Answer> {
    const undoSteps: (() => Promise<Answer>)[] = [];
    const undoAll = async (answer: Answer) => {
      for (const undo of undoSteps.reverse()) await undo();
      return answer;
    };
    const reasons: Json[] = [];
    for (const item of Object.values(Object(TransactItems))) {
      // An item is an object such as {"Put": {…}}.
      const [action = ''] = Object.keys(Object(item));
      const write: Json = Object(Object(item)[action]);
      const answer = await this.call(`${action}Item`, { ...write, ReturnValues: 'ALL_OLD' });
      const { __type, message, Attributes } = JSON.parse(answer.body);
      if (answer.status === 200) {
        const { TableName } = write;
        const Key = await this.keyOf(write);
        undoSteps.push(() =>
          Attributes
            ? this.call('PutItem', { TableName, Item: Attributes })
            : this.call('DeleteItem', { TableName, Key }),
        );
        reasons.push({ Code: 'None' });
      } else if (__type === CONDITION_FAILED) {
        const { Item } = JSON.parse((await this.addStoredItem(write, answer)).body);
        reasons.push({ Code: 'ConditionalCheckFailed', Message: message, Item });
      } else {
        return undoAll(answer);
      }
    }
    if (reasons.every(({ Code }) => Code === 'None')) return answerOf(200, {});
    const codes = reasons.map(({ Code }) => Code).join(', ');
    const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
    return undoAll(answerOf(400, { __type: CANCELED, message, CancellationReasons: reasons }));
  }

  private async addStoredItem(input: Json, answer: Answer): Promise<Answer> {
    const failure: Json = JSON.parse(answer.body);
    const wantsItem = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
    if (!wantsItem || failure['__type'] !== CONDITION_FAILED) return answer;
    const Key = await this.keyOf(input);
    const found = await this.call('GetItem', { TableName: input['TableName'], Key, ConsistentRead: true });
    return answerOf(400, { ...failure, ...JSON.parse(found.body) });
  }

  /** Dynalite responds before the table is created or deleted. */
  private async waitForTable({ status, body }: Answer) {
    if (status !== 200) return;
    const { TableName, TableStatus } = JSON.parse(body).TableDescription;
    while ((await this.describe(TableName))?.TableStatus === TableStatus) await sleep(1);
  }

  private async keyOf({ TableName, Key, Item }: Json) {
    if (Key) return Key;
    const names: { AttributeName: string }[] = (await this.describe(TableName)).KeySchema;
    return Object.fromEntries(names.map(({ AttributeName: name }) => [name, Object(Item)[name]]));
  }

  private async describe(TableName: unknown) {
    return JSON.parse((await this.call('DescribeTable', { TableName })).body).Table;
  }

  private call(operation: string, input: Json) {
    const headers = { ...this.headers, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    return this.send('POST', headers, JSON.stringify(input));
  }
}

const parseObject = (text: string): Json | undefined => {
  try {
    const value = JSON.parse(text);
    return Object(value) === value ? value : undefined;
  } catch {
    return undefined;
  }
};

const answerOf = (status: number, body: Json): Answer => ({
  status,
  headers: { 'Content-Type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(body),
});
