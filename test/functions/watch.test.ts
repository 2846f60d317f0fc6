import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { add, type ClientChange, lock, remove, set, unlock } from '../../admin/clients/client-changes.ts';
import { createHandler } from '../../functions/watch.ts';
import { type Client, toItem } from '../../shared/clients/client.ts';
import { newClient } from '../../shared/clients/new-client.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { addClient as addStoredClient, storedClient } from '../support/clients.ts';
import { collectLog } from '../support/handlers.ts';
import { createTable, startFaultyEngine, testClient } from '../support/tables.ts';
import { memoryStorage, type WatchStorage } from './watch-storage.ts';

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
  handler = createHandler(deps());
});

const deps = () => ({
  ...{ dynamodb, clientsTable, snapshotsTable },
  publish: async (message: Message) => messages.push(message),
  ...{ stack: 'WMS', runbook: RUNBOOK },
});

const addClient = (name: string, more: Partial<Client> = {}) =>
  addStoredClient(dynamodb, clientsTable, name, { SilenceFrom: '2026-11-01T00:00:00.000Z', ...more });

/** A time of a Saturday, or of another day of the November. */
const at = (time: string, day = 21) =>
  `2026-11-${String(day).padStart(2, '0')}T${time.padEnd(8, ':00').padEnd(12, '.000')}Z`;

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

describe('an admin who acts in the hour in which a client is back, or just after it', () => {
  const login = { name: 'east', password: 'own password', plan: 'standard', slot: 1 };
  type Act = (client: Client, now: Date) => ClientChange;
  const actions: [string, Act, ...Act[]][] = [
    ['locks it', lock],
    ['locks and unlocks it', lock, unlock],
    ['shortens its hours', (client, now) => set(client, { silenceHours: 1 }, now)],
    ['prolongs its hours', (client, now) => set(client, { silenceHours: 72 }, now)],
    ['gives it no hours', (client, now) => set(client, { silenceHours: 0 }, now)],
    ['removes it', remove],
    ['locks and removes it', lock, remove],
    ['removes and adds it', remove, (client, now) => add({ ...login, now }, client)],
  ];

  const act = async (time: string, acts: readonly Act[]) => {
    for (const [index, change] of acts.entries()) {
      const before = await storedClient(dynamodb, clientsTable, 'east');
      const { attributes } = change(before.client, new Date(Date.parse(time) + index));
      expect(await writeClient(dynamodb, clientsTable, { ...attributes, ChangedBy: 'admin' }, before)).toBe(
        true,
      );
    }
  };

  describe.each(['10:50', '11:02'])('at %s,', (time) => {
    it.each(actions)('and %s: the return is named once', async (_, ...acts) => {
      await addClient('east');
      await addBatches('east', at('07:40', 20), at('10:40'));
      await act(at(time), acts);
      const returns = (await sentencesOnSaturday()).filter((sentence) => sentence.includes(' is back: '));
      expect(returns).toEqual(['11:05 east is back: it sent a batch at 2026-11-21 10:40 UTC, after 27 h.']);
    });
  });

  it.each(actions)('and %s before the batch: nobody waits for it, so it is not back', async (_, ...acts) => {
    await addClient('east');
    await addBatches('east', at('07:40', 20), at('10:40'));
    await act(at('10:30'), acts);
    expect(await sentencesAt(at('11:05'))).toEqual([]);
  });
});

describe('the sentences of many clients', () => {
  let storage: WatchStorage;
  beforeEach(() => {
    storage = memoryStorage();
    handler = createHandler({ ...deps(), ...storage });
  });

  const addWith = async (name: string, ...times: string[]) => {
    const client = newClient({
      name,
      password: 'own',
      plan: 'standard',
      slot: 1,
      now: new Date(at('00:00', 1)),
    });
    await storage.putClient(toItem({ ...client, ChangedBy: 'test', Version: 1 }));
    for (const time of times) await storage.putSnapshotId(name, newSnapshotId(new Date(time), 'f'));
  };
  const kinds = ['late', 'back', 'long late'] as const;
  const times = {
    late: [at('08:10', 22), at('08:40', 22)],
    back: [at('08:40', 21), at('08:50', 23)],
    'long late': [at('08:40', 10)],
  };
  /** In the order of names, one client of each kind follows the other. */
  const addAll = async (
    count: number,
    nameOf = (number: number) => `wms-${number}`,
    all: readonly (keyof typeof times)[] = kinds,
  ) => {
    for (let number = 0; number < count; number += 1)
      for (const [index, kind] of all.entries())
        await addWith(nameOf(1_000 + 3 * number + index), ...times[kind]);
  };
  const kindOf = (sentence: string) => {
    if (sentence.includes(' is back: ')) return 'back';
    return sentence.includes('every 30 minutes') ? 'late' : 'long late';
  };
  const runOn = async (time: string) => {
    messages.length = 0;
    await handler({ time });
    return messages.map(({ Message }) => Message.replace(FOOT, '').split('\n'));
  };
  const namesIn = (sentences: readonly string[]) =>
    sentences.map((sentence) => /\S*\d{4}/.exec(sentence)?.[0]);

  it('all come in one message: who became late, then who is back', async () => {
    await addAll(60);
    const [sentences = [], ...others] = await runOn(at('09:05', 23));
    expect(others).toEqual([]);
    expect(sentences.map(kindOf)).toEqual([...Array(60).fill('late'), ...Array(60).fill('back')]);
    for (const kind of ['late', 'back']) {
      const names = namesIn(sentences.filter((sentence) => kindOf(sentence) === kind));
      expect(names).toEqual([...new Set(names)].sort());
    }
  });

  it('on a Monday, come before those of the clients that are still late', async () => {
    await addAll(60);
    await addWith('wms-0001', at('05:10', 22), at('05:40', 22));
    await addWith('wms-0002', at('05:10', 21), at('05:50', 23));
    const [sentences = []] = await runOn(at('06:05', 23));
    expect(sentences.slice(0, 2).map(kindOf)).toEqual(['late', 'back']);
    expect(messages[0]?.Subject).toBe('WMS: 121 late, 1 back');
    expect(sentences.slice(2).map(kindOf)).toEqual(Array(120).fill('long late'));
  });

  it('go on in another message where one is full, which has a number', async () => {
    await addAll(1_000, (number) => `${'n'.repeat(60)}${number}`, ['late', 'back']);
    const groups = await runOn(at('09:05', 23));
    expect(messages.map(({ Subject }) => Subject)).toEqual(
      [1, 2].map((number) => `WMS: 1000 newly late, 1000 back, ${number} of 2`),
    );
    for (const { Message } of messages) {
      expect(Message.endsWith(FOOT)).toBe(true);
      expect(Buffer.byteLength(Message)).toBeLessThanOrEqual(262_144);
    }
    expect(messages[0]?.Message.length).toBeGreaterThan(249_000);
    expect(groups.flat().map(kindOf)).toEqual([...Array(1_000).fill('late'), ...Array(1_000).fill('back')]);
    expect(new Set(namesIn(groups.flat())).size).toBe(2_000);
  });

  it('come again if the second message was not published, because the run fails', async () => {
    await addAll(1_000, (number) => `${'n'.repeat(60)}${number}`, ['late', 'back']);
    const all = await runOn(at('09:05', 23));
    let count = 0;
    const publish = async () => {
      count += 1;
      if (count === 2) throw new Error('Throttled');
    };
    const failing = createHandler({ ...deps(), ...storage, publish });
    await expect(failing({ time: at('09:05', 23) })).rejects.toThrow('Throttled');
    expect(await runOn(at('09:05', 23))).toEqual(all);
  });

  it.each([60, 1])('have a subject of at most 100 characters, with a stack name of %i', async (length) => {
    await addAll(1_000, (number) => `${'n'.repeat(60)}${number}`, ['late', 'back']);
    await createHandler({ ...deps(), ...storage, stack: 'W'.repeat(length) })({ time: at('09:05', 23) });
    for (const { Subject } of messages) expect(Subject).toMatch(/^[ -~]{1,100}$/);
  });
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

  it.each<[string, string[]]>([
    ['the newest', ['2026-11-20T08:by-hand', '2026-11-21T08:by-hand']],
    [
      'other forms of a time',
      ['2026-11-20', '2026-11-20T07:40', '2026-11-20T08:60:00.000Z', '2026-11-21', '2026-11-21T05:00+02:00'],
    ],
    ['many', Array.from({ length: 20 }, (_, number) => `2026-11-20T08:by-hand-${number}`)],
  ])('reads the batches behind ids that somebody wrote by hand: %s', async (_, ids) => {
    for (const name of ['east', 'west']) await addClient(name);
    await addBatches('east', at('07:10', 20), at('07:40', 20), at('08:20'));
    await addBatches('west', at('08:10', 20), at('08:40', 20));
    for (const Client of [{ S: 'east' }, { S: 'west' }])
      for (const id of ids) {
        const Item = { Client, SnapshotId: { S: id } };
        await dynamodb.send(new PutItemCommand({ TableName: snapshotsTable, Item }));
      }
    expect(await sentencesAt(at('09:05'))).toEqual([
      'west has sent no batch since 2026-11-20 08:40 UTC, for 24 h; before, it sent every 30 minutes.',
      'east is back: it sent a batch at 2026-11-21 08:20 UTC, after 24 h.',
    ]);
  });

  it.each([
    ['read the clients', { clientsTable: 'no-such-table' }],
    ['read the batches', { snapshotsTable: 'no-such-table' }],
    ['publish', { publish: () => Promise.reject(new Error('no-such-topic')) }],
  ])('fails if it cannot %s, so that Lambda repeats it', async (_, broken) => {
    await addClient('east', { SilenceFrom: at('08:30', 20) });
    const run = createHandler({ ...deps(), ...broken });
    await expect(run({ time: at('09:05') })).rejects.toThrow(/no-such-topic|non-existent|not found/);
    expect(messages).toEqual([]);
  });

  it('computes the usual gap from six batches, although somebody wrote an id by hand', async () => {
    await addClient('east');
    const minutes = [0, 10, 20, 30, 40, 50, 110, 170, 230, 290, 350, 410];
    const newest = Date.parse(at('08:40', 20));
    await addBatches('east', ...minutes.map((minute) => new Date(newest - minute * 60_000).toISOString()));
    const Item = { Client: { S: 'east' }, SnapshotId: { S: '2026-11-20T08:by-hand' } };
    await dynamodb.send(new PutItemCommand({ TableName: snapshotsTable, Item }));
    expect((await sentencesAt(at('09:05')))[0]).toMatch('; before, it sent every 10 minutes.');
  });

  it('goes on with its queries once they are no longer throttled', async () => {
    const engine = await startFaultyEngine();
    onTestFinished(() => engine.stop());
    const { credentials, region } = dynamodb.config;
    // As in the function, the SDK does not repeat throttled calls. The pauses are as short as they can be.
    const throttled = new DynamoDBClient({ endpoint: engine.endpoint, credentials, region, maxAttempts: 1 });
    vi.spyOn(Math, 'random').mockReturnValue(-0.5);
    await addClient('east');
    await addBatches('east', at('08:40', 20));
    const counts = { Scan: 0, Query: 0 };
    engine.decide((action) => {
      const name = action === 'Scan' ? 'Scan' : 'Query';
      counts[name] += 1;
      return counts[name] % 3 === 0 ? 'through' : 'throttle';
    });
    await createHandler({ ...deps(), dynamodb: throttled })({ time: at('09:05') });
    expect(messages).toHaveLength(1);
    expect(counts).toEqual({ Scan: 3, Query: 9 });
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

  it('reads so few batches of a late client that 2,000 late clients with the largest batches need less than its 90 s', async () => {
    await addClient('east');
    await addBatches('east', ...Array.from({ length: 9 }, (_, index) => at(`08:3${index}`, 20)));
    const sent = vi.spyOn(dynamodb, 'send');
    await runAt(at('09:05'));
    const limits = sent.mock.calls.flatMap(([{ input }]) => ('Limit' in input ? (input.Limit ?? 0) : []));
    const LARGEST_BATCH_UNITS = 50;
    const NEW_TABLE_UNITS_PER_SECOND = 12_000;
    const units = 2_000 * LARGEST_BATCH_UNITS * limits.reduce((sum, limit) => sum + limit);
    expect(units / NEW_TABLE_UNITS_PER_SECOND).toBeLessThan(70);
  });
});
