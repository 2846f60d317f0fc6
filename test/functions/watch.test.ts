import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { composeMessage } from '../../functions/silence/compose-message.ts';
import { createHandler } from '../../functions/watch.ts';
import type { Client } from '../../shared/clients/client.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { addClient as addStoredClient } from '../support/clients.ts';
import { collectLog } from '../support/handlers.ts';
import { createTable, testClient } from '../support/tables.ts';

const dynamodb = testClient();
const log = collectLog();
const RUNBOOK = 'https://example.com/runbook.md';
const IMPACT = 'Impact: People who read the balances of a late client see old balances and work with them.';
const FOOT = `\n${IMPACT}\nWhat to do: ${RUNBOOK}#silence`;

type Message = { Subject: string; Message: string };

let clientsTable: string;
let snapshotsTable: string;
let messages: Message[];
let handler: ReturnType<typeof createHandler>;

beforeEach(async () => {
  clientsTable = await createTable('Clients', dynamodb);
  snapshotsTable = await createTable('BalanceSnapshots', dynamodb);
  messages = [];
  const publish = async (message: Message) => messages.push(message);
  handler = createHandler({
    dynamodb,
    clientsTable,
    snapshotsTable,
    publish,
    stack: 'WMS',
    runbook: RUNBOOK,
  });
});

const addClient = (name: string, more: Partial<Client> = {}) =>
  addStoredClient(dynamodb, clientsTable, name, { SilenceFrom: '2026-11-01T00:00:00.000Z', ...more });

/** A time of a Saturday, or of another day of the November. */
const at = (time: string, day = 21) => `2026-11-${day}T${time.padEnd(8, ':00').padEnd(12, '.000')}Z`;

const addBatches = async (client: string, ...times: string[]) => {
  for (const time of times) {
    const Item = { Client: { S: client }, SnapshotId: { S: newSnapshotId(new Date(time), 'f'.repeat(12)) } };
    await dynamodb.send(new PutItemCommand({ TableName: snapshotsTable, Item }));
  }
};

/** The message of a run at this time, or undefined. */
const runAt = async (time: string): Promise<Message | undefined> => {
  messages.length = 0;
  await handler({ time });
  expect(messages.length).toBeLessThanOrEqual(1);
  return messages[0];
};

/** The sentences of a run without impact and advice. */
const sentencesAt = async (time: string) => {
  const lines = (await runAt(time))?.Message.split('\n') ?? [];
  return lines.filter((line) => !/^(Impact|What to do): /.test(line));
};

/** The sentences of all runs from 06:05 to 14:05, each with the time of its run. */
const sentencesOnSaturday = async () => {
  const hours = ['06', '07', '08', '09', '10', '11', '12', '13', '14'];
  const found = [];
  for (const hour of hours) {
    for (const sentence of await sentencesAt(at(`${hour}:05`))) found.push(`${hour}:05 ${sentence}`);
  }
  return found;
};

describe('a client that sends no batch', () => {
  it.each([
    ['07:59:59.999', 24, '08:05'],
    ['08:00:00.000', 25, '09:05'],
    ['08:59:59.999', 24, '09:05'],
    ['09:00:00.000', 25, '10:05'],
  ])('for 24 hours, since %s, is named once, after %i h, at %s', async (time, hours, run) => {
    await addClient('east');
    await addBatches('east', at(time, 20));
    const since = at(time, 20).slice(11, 16);
    expect(await sentencesOnSaturday()).toEqual([
      `${run} east has sent no batch since 2026-11-20 ${since} UTC, for ${hours} h.`,
    ]);
  });

  it('is named with its usual gap, the impact and what to do', async () => {
    await addClient('east');
    await addBatches(
      'east',
      ...['07:20', '07:55', '08:10', '08:25', '08:35', '08:40'].map((time) => at(time, 20)),
    );
    expect(await runAt(at('09:05'))).toEqual({
      Subject: 'WMS: 1 newly late, 0 back',
      Message: `east has sent no batch since 2026-11-20 08:40 UTC, for 24 h; before, it sent every 15 minutes.${FOOT}`,
    });
    expect(log.entries()).toMatchObject([{ code: 'clients-watched', clientCount: 1, namedClientCount: 1 }]);
  });

  it.each([
    ['minute', '08:38:00', '08:39:10', '08:40:00'],
    ['119 minutes', '06:41:00', '08:40:00'],
    ['2 hours', '04:40:00', '06:40:00', '08:40:00'],
    ['6 hours', '02:40:00', '08:40:00'],
  ])('sent every %s before', async (gap, ...times) => {
    await addClient('east');
    await addBatches('east', ...times.map((time) => at(time, 20)));
    expect((await sentencesAt(at('09:05')))[0]).toMatch(`before, it sent every ${gap}.`);
  });

  it.each([
    [1, at('08:30'), '10:05'],
    [8_760, '2025-11-21T08:30:00.000Z', '09:05'],
  ])('for its %i hours of silence is named', async (SilenceHours, newest, run) => {
    await addClient('east', { SilenceHours, SilenceFrom: newest });
    await addBatches('east', newest);
    expect(await sentencesOnSaturday()).toEqual([
      `${run} east has sent no batch since ${newest.slice(0, 10)} 08:30 UTC, for ${SilenceHours} h.`,
    ]);
  });

  it('and never sent one is named once, with the time when one was due', async () => {
    await addClient('east', { SilenceFrom: at('08:30', 20) });
    expect(await sentencesOnSaturday()).toEqual([
      '09:05 No batch of east is stored; one was due at 2026-11-21 08:30 UTC.',
    ]);
  });

  it('since SilenceFrom is late from then, although its newest batch is older', async () => {
    await addClient('east', { SilenceFrom: at('10:30', 20) });
    await addBatches('east', at('08:40', 19));
    expect(await sentencesOnSaturday()).toEqual([
      '11:05 east has sent no batch since 2026-11-19 08:40 UTC, for 50 h.',
    ]);
  });

  it.each<[string, Partial<Client>]>([
    ['locked', { LockedAt: at('01:00', 20) }],
    ['removed', { RemovedAt: at('01:00', 20) }],
    ['without hours of silence', { SilenceHours: 0 }],
  ])('is not named if it is %s, also not on a Monday', async (_, more) => {
    await addClient('east', more);
    await addBatches('east', at('08:40', 20));
    expect(await sentencesOnSaturday()).toEqual([]);
    expect(await sentencesAt(at('06:05', 23))).toEqual(['No client is late.']);
  });

  it('is late although later parts of a batch are stored, which are no batches', async () => {
    await addClient('east');
    await addBatches('east', at('08:40', 20));
    await addBatches('east:2', at('10:00', 20), at('08:50'));
    expect(await sentencesOnSaturday()).toEqual([
      '09:05 east has sent no batch since 2026-11-20 08:40 UTC, for 24 h.',
    ]);
  });
});

describe('a client that sends a batch', () => {
  const LATE = '08:05 east has sent no batch since 2026-11-20 07:40 UTC, for 24 h.';

  it.each([
    ['11:00:00.000', '12:05'],
    ['11:59:59.999', '12:05'],
    ['12:00:00.000', '13:05'],
  ])('at %s after a silence is named once as back, at %s', async (time, run) => {
    await addClient('east');
    await addBatches('east', at('07:40', 20), at(time), at('12:30'));
    const hours = time.startsWith('12') ? 28 : 27 + Number(time > '11:40');
    const back = `${run} east is back: it sent a batch at 2026-11-21 ${time.slice(0, 5)} UTC, after ${hours} h.`;
    expect(await sentencesOnSaturday()).toEqual([LATE, back]);
  });

  it('for the first time after it was due is named as back', async () => {
    await addClient('east', { SilenceFrom: at('08:30', 20) });
    await addBatches('east', at('10:10'));
    expect((await sentencesOnSaturday())[1]).toBe(
      '11:05 east is back: it sent a batch at 2026-11-21 10:10 UTC.',
    );
  });

  it.each([
    ['a millisecond before it is late is not named', '07:39:59.999', []],
    [
      'in the hour in which it is late is named only as back',
      '07:40:00.000',
      ['08:05 east is back: it sent a batch at 2026-11-21 07:40 UTC, after 24 h.'],
    ],
  ])('%s', async (_, time, expected) => {
    await addClient('east');
    await addBatches('east', at('07:40', 20), at(time));
    expect(await sentencesOnSaturday()).toEqual(expected);
  });
});

it.each([50, 51, 60])('a message names the first 50 of %i clients, and counts the others', (count) => {
  const names = Array.from({ length: count }, (_, number) => `wms-${number + 100}`);
  const late = {
    lastAt: undefined,
    lateFrom: 0,
    endedAt: undefined,
    hasChanged: true,
    usualGapMs: undefined,
  };
  const silences = names.map((client) => ({ client, ...late }));
  const run = { stack: 'WMS', runbook: RUNBOOK, until: 0, isWeekly: false };
  const lines = composeMessage({ ...run, silences })
    .Message.replace(FOOT, '')
    .split('\n');
  expect(lines.slice(0, 50).map((line) => line.split(' ')[3])).toEqual(names.slice(0, 50));
  const advice = '`warehouse-admin clients list --late` names all who are late.';
  expect(lines.slice(50)).toEqual(count === 50 ? [] : [`And ${count - 50} more: ${advice}`]);
});

describe('a run', () => {
  it('that is repeated or late has the same message, also after later batches', async () => {
    for (const name of ['east', 'west']) await addClient(name);
    await addBatches('east', at('08:25', 20), at('08:40', 20));
    await addBatches('west', at('07:40', 20), at('08:50'));
    const first = await runAt(at('09:05'));
    expect(first?.Message.split('\n')).toHaveLength(4);
    await addBatches('east', at('09:20'));
    await addBatches('west', at('09:20'));
    expect(await runAt(at('09:05'))).toEqual(first);
    expect(await runAt(at('09:59:59.999'))).toEqual(first);
  });

  it('with only clients that are back does not say that nobody is late', async () => {
    await addClient('east', { SilenceFrom: at('01:00', 3) });
    await addClient('west');
    await addBatches('west', at('07:40', 20), at('08:50'));
    expect(await runAt(at('09:05'))).toEqual({
      Subject: 'WMS: 0 newly late, 1 back',
      Message: 'west is back: it sent a batch at 2026-11-21 08:50 UTC, after 25 h.',
    });
  });

  it.each([
    ['06:05', 23, true],
    ['05:05', 23, false],
    ['07:05', 23, false],
    ['06:05', 24, false],
    ['06:05', 22, false],
  ])('at %s of the %i. names all who are late: %s', async (time, day, isWeekly) => {
    for (const name of ['west', 'east', 'north']) await addClient(name);
    for (const name of ['west', 'east']) await addBatches(name, at('08:25', 10), at('08:40', 10));
    await addBatches('north', at(time, day - 1), at('00:00', day));
    const since = 'has sent no batch since 2026-11-10 08:40 UTC, for 309 h.';
    const names = isWeekly ? [`east ${since}`, `west ${since}`] : [];
    expect(await sentencesAt(at(time, day))).toEqual(names);
    expect(log.entries().at(-1)).toMatchObject({ clientCount: 3, namedClientCount: names.length });
  });

  it('on a Monday says that nobody is late, also without a client', async () => {
    const nobody = { Subject: 'WMS: 0 late, 0 back', Message: 'No client is late.' };
    expect(await runAt(at('06:05', 23))).toEqual(nobody);
    await addClient('east', { SilenceFrom: at('00:00', 23) });
    expect(await runAt(at('06:05', 23))).toEqual(nobody);
  });

  it('without a client, or with nothing new, publishes nothing', async () => {
    expect(await sentencesOnSaturday()).toEqual([]);
    await addClient('east', { SilenceFrom: at('00:00') });
    expect(await sentencesOnSaturday()).toEqual([]);
    expect(log.entries().at(-1)).toMatchObject({
      code: 'clients-watched',
      clientCount: 1,
      namedClientCount: 0,
    });
  });

  it('names a damaged item in a warning, and looks at the others', async () => {
    await addClient('east', { SilenceFrom: at('08:30', 20) });
    await addClient('west', { SilenceFrom: '2026-11-20T08:30:00+02' });
    expect(await sentencesAt(at('09:05'))).toHaveLength(1);
    expect(log.entries()[0]).toMatchObject({ level: 'WARN', code: 'client-damaged', client: 'west' });
  });

  it('looks at the other clients, although the id of a batch is damaged', async () => {
    for (const name of ['east', 'west']) await addClient(name, { SilenceFrom: at('08:30', 20) });
    const Item = { Client: { S: 'west' }, SnapshotId: { S: '2026-11-21T08:by-hand' } };
    await dynamodb.send(new PutItemCommand({ TableName: snapshotsTable, Item }));
    expect(await sentencesAt(at('09:05'))).toContainEqual(
      expect.stringMatching(/^No batch of east is stored/),
    );
  });

  it.each([
    ['read the clients', { clientsTable: 'no-such-table' }],
    ['read the batches', { snapshotsTable: 'no-such-table' }],
    ['publish', { publish: () => Promise.reject(new Error('no-such-topic')) }],
  ])('fails if it cannot %s, so that Lambda repeats it', async (_, broken) => {
    await addClient('east', { SilenceFrom: at('08:30', 20) });
    const publish = async (message: Message) => messages.push(message);
    const run = createHandler({
      dynamodb,
      clientsTable,
      snapshotsTable,
      publish,
      stack: 'WMS',
      runbook: '',
      ...broken,
    });
    await expect(run({ time: at('09:05') })).rejects.toThrow(/no-such-topic|non-existent|not found/);
    expect(messages).toEqual([]);
  });

  it('reads one batch of a client in time, and none of a client that nobody waits for', async () => {
    await addClient('east');
    await addClient('west', { SilenceHours: 0 });
    await addBatches('east', at('08:20', 20), at('08:40', 20));
    const sent = vi.spyOn(dynamodb, 'send');
    await runAt(at('08:05'));
    const queries = sent.mock.calls.slice(1).map(([{ input }]) => input);
    expect(queries).toMatchObject([{ ExpressionAttributeValues: { ':client': { S: 'east' } }, Limit: 1 }]);
  });
});
