import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { toPlain } from '../../shared/clients/client.ts';
import { MAX_THROTTLED_ATTEMPTS, retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';
import { type Deployment, requireRecords } from '../deployment/deployment.ts';
import { documentClient } from '../storage/query-items.ts';
import { Failure } from '../text/failure.ts';
import { formatTime } from '../text/time.ts';
import { type Mark, type Severity, toItem, toMark } from './mark.ts';

export const actions = ['told', 'known', 'undo'] as const;

export type NewMark = {
  scope: string;
  kind: string;
  severity: Severity;
  action: (typeof actions)[number];
  /** Of `known`. */
  until?: Date | undefined;
  note?: string | undefined;
  /** When the findings were read, if somebody may have looked at them for long. What has come since then is not marked. */
  readAt?: Date | undefined;
};

const MAX_NOTE_LENGTH = 1_000;

/** Somebody else has marked the findings since they were read. */
export class MarkedMeanwhile extends Failure {}

type Target = Pick<Deployment, 'dynamodb' | 'records' | 'name' | 'now' | 'caller'>;

const checkMark = (
  { action, until, note }: Pick<NewMark, 'action' | 'until'> & { note: string },
  now: Date,
) => {
  if (action === 'known' && !(until && until > now))
    throw new Failure('Choose a time in the future until which the findings are known.');
  if (note.length > MAX_NOTE_LENGTH)
    throw new Failure(`Write a note of at most ${MAX_NOTE_LENGTH} characters.`);
};

/** Writes a mark if its version is still the one that was read, or if there is still none. */
export const writeMark = async (
  deployment: Target,
  { action, until, note = '', readAt, ...concern }: NewMark,
  version: number | null,
): Promise<Mark> => {
  const { table: TableName } = requireRecords(deployment);
  const now = deployment.now();
  checkMark({ action, until, note }, now);
  const at = (readAt && readAt < now ? readAt : now).toISOString();
  const end = { told: null, known: until?.toISOString() ?? null, undo: at }[action];
  const by = await deployment.caller();
  const mark: Mark = { ...concern, by, at, note, until: end, version: (version ?? 0) + 1 };
  const Item = toItem(mark);
  const put = new PutCommand({
    ...{ TableName, Item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
    ...(version === null
      ? { ConditionExpression: 'attribute_not_exists(Id)' }
      : { ConditionExpression: 'Version = :version', ExpressionAttributeValues: { ':version': version } }),
  });
  const { signal } = new AbortController();
  try {
    const documents = documentClient(deployment.dynamodb);
    await retryWhileThrottled(() => documents.send(put), signal, MAX_THROTTLED_ATTEMPTS);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const stored = error.Item && toPlain(error.Item);
    // After a lost response, the SDK repeats the write and finds its own item.
    if (!isDeepStrictEqual(stored, Item))
      throw new MarkedMeanwhile(describeConflict(stored, { TableName, ...Item }));
  }
  return mark;
};

const describeConflict = (
  stored: unknown,
  { TableName, Topic, Id }: Record<'TableName' | 'Topic' | 'Id', string>,
) => {
  const mark = toMark(stored);
  if (mark) {
    const { by, at, note } = mark;
    return `${by || 'Somebody else'} has marked these findings at ${formatTime(new Date(at))}${note && ` (${note})`}. Nothing was written. Look at them again.`;
  }
  return stored
    ? `The item ${Topic}, ${Id} of the table ${TableName} is damaged, so nothing was written. Delete it in the AWS console, and mark the findings again.`
    : 'Somebody else has changed the mark of these findings. Nothing was written. Look at them again.';
};
