import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHandler } from '../../functions/watch.ts';
import { type Client, toItem } from '../../shared/clients/client.ts';
import { newClient } from '../../shared/clients/new-client.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { collectLog } from '../support/handlers.ts';
import { createTable, testClient } from '../support/tables.ts';
import { checkWatch, type Message, sentencesIn } from './watch-model.ts';
import { engineStorage, memoryStorage, type WatchStorage } from './watch-storage.ts';

// The model at the end proves which clients are named in which hour. test/golden has the sentences of all kinds.

const log = collectLog();
const RUNBOOK = 'https://example.com/runbook.md';
const IMPACT = 'Impact: People who read the balances of a late client see old balances and work with them.';
const FOOT = `\n${IMPACT}\nWhat to do: ${RUNBOOK}#silence`;

let storage: WatchStorage;
beforeEach(() => {
  storage = memoryStorage();
});

/** A time of a Saturday, or of another day of the November. */
const at = (time: string, day = 21) =>
  `2026-11-${String(day).padStart(2, '0')}T${time.padEnd(8, ':00').padEnd(12, '.000')}Z`;

/** Adds a client, which waits from the start of the month, and its batches. */
const addClient = async (name: string, more: Partial<Client> = {}, batches: readonly string[] = []) => {
  const client = newClient({
    name,
    password: 'own',
    plan: 'standard',
    slot: 1,
    now: new Date(at('00:00', 1)),
  });
  const item = toItem({ ...client, ChangedBy: 'test', Version: 1, ...more });
  await storage.putClient(item);
  await addBatches(name, ...batches);
};
const addBatches = async (name: string, ...times: string[]) => {
  for (const time of times) await storage.putSnapshotId(name, newSnapshotId(new Date(time), 'f'.repeat(12)));
};

/** The messages of a run at this time. */
const run = async (time: string, more: Partial<Parameters<typeof createHandler>[0]> = {}) => {
  const messages: Message[] = [];
  const publish = async (message: Message) => messages.push(message);
  await createHandler({ ...storage, publish, stack: 'WMS', runbook: RUNBOOK, ...more })({ time });
  return messages;
};

const sentencesAt = async (time: string) => sentencesIn(await run(time));

const back = (when: string, hours: number) =>
  `east is back: it sent a batch at 2026-11-21 ${when} UTC, after ${hours} h.`;

it('a client that becomes late is named with its usual gap, the impact and what to do', async () => {
  const times = ['07:20', '07:30', '07:45', '07:50', '08:20', '08:40'];
  const batches = times.map((time) => at(time, 20));
  await addClient('east', {}, batches);
  expect(await run(at('09:05'))).toEqual([
    {
      Subject: 'WMS: 1 newly late, 0 back',
      Message: `east has sent no batch since 2026-11-20 08:40 UTC, for 24 h; before, it sent every 15 minutes.${FOOT}`,
    },
  ]);
  expect(log.entries()).toMatchObject([{ code: 'clients-watched', clientCount: 1, namedClientCount: 1 }]);
});

describe('the sentences of many clients', () => {
  const kindOf = (sentence: string) => {
    if (sentence.includes(' is back: ')) return 'back';
    return sentence.includes('every 30 minutes') ? 'late' : 'long late';
  };
  const namesIn = (sentences: readonly string[]) =>
    sentences.map((sentence) => /\S*\d{4}/.exec(sentence)?.[0]);
  const batches = {
    late: [at('08:10', 22), at('08:40', 22)],
    back: [at('08:40', 21), at('08:50', 23)],
    'long late': [at('08:40', 10)],
  };
  const nameOf = (number: number) => `${'n'.repeat(60)}${1_000 + number}`;
  const addTwoThousand = async () => {
    for (let number = 0; number < 2_000; number += 1)
      await addClient(nameOf(number), {}, number % 2 ? batches.late : batches.back);
  };

  it('on a Monday are those of the hour, who became late before who is back, and then who is still late', async () => {
    for (const name of ['c-1003', 'd-1004']) await addClient(name, {}, batches['long late']);
    for (const name of ['a-1001', 'e-1005']) await addClient(name, {}, [at('05:40', 21), at('05:50', 23)]);
    for (const name of ['b-1002', 'f-1006']) await addClient(name, {}, [at('05:10', 22), at('05:40', 22)]);
    const messages = await run(at('06:05', 23));
    expect(messages.map(({ Subject }) => Subject)).toEqual(['WMS: 4 late, 2 back']);
    const sentences = sentencesIn(messages);
    expect(namesIn(sentences)).toEqual(['b-1002', 'f-1006', 'a-1001', 'e-1005', 'c-1003', 'd-1004']);
    expect(sentences.map(kindOf)).toEqual(['late', 'late', 'back', 'back', 'long late', 'long late']);
  });

  it('go on in another message where one is full, with a subject that SNS accepts', async () => {
    await addTwoThousand();
    const stack = 'W'.repeat(60);
    const messages = await run(at('09:05', 23), { stack });
    expect(messages.map(({ Subject }) => Subject)).toEqual(
      [1, 2].map((number) => `${stack}: 1000 newly late, 1000 back, ${number} of 2`),
    );
    for (const { Subject, Message } of messages) {
      expect(Subject.length).toBeLessThanOrEqual(100);
      expect(Message.endsWith(FOOT)).toBe(true);
      expect(Buffer.byteLength(Message)).toBeLessThanOrEqual(262_144);
    }
    expect(messages[0]?.Message.length).toBeGreaterThan(249_000);
    const sentences = sentencesIn(messages);
    expect(sentences.map(kindOf)).toEqual([...Array(1_000).fill('late'), ...Array(1_000).fill('back')]);
    for (const kind of [sentences.slice(0, 1_000), sentences.slice(1_000)])
      expect(namesIn(kind)).toEqual([...new Set(namesIn(kind))].sort());
    expect(new Set(namesIn(sentences)).size).toBe(2_000);
  });

  it('come again if the second message was not published, because the run fails', async () => {
    await addTwoThousand();
    let count = 0;
    const publish = async () => {
      count += 1;
      if (count === 2) throw new Error('Throttled');
    };
    await expect(run(at('09:05', 23), { publish })).rejects.toThrow('Throttled');
    expect(await sentencesAt(at('09:05', 23))).toHaveLength(2_000);
  });
});

describe('a run', () => {
  it('on a Monday says that nobody is late, also without a client', async () => {
    const nobody = [{ Subject: 'WMS: 0 late, 0 back', Message: 'No client is late.' }];
    expect(await run(at('06:05', 23))).toEqual(nobody);
    await addClient('east', { SilenceFrom: at('00:00', 23) });
    await addClient('locked', { LockedAt: at('01:00', 20) }, [at('08:40', 20)]);
    expect(await run(at('06:05', 23))).toEqual(nobody);
  });

  it('names a damaged item in a warning, and looks at the others', async () => {
    await addClient('east', { SilenceFrom: at('08:30', 20) });
    await addClient('west', { SilenceFrom: '2026-11-20T08:30:00+02' });
    expect(await sentencesAt(at('09:05'))).toHaveLength(1);
    expect(log.entries()[0]).toMatchObject({ level: 'WARN', code: 'client-damaged', client: 'west' });
  });

  it('reads the batches behind ids that somebody wrote by hand', async () => {
    await addClient('east', {}, [at('07:10', 20), at('07:40', 20), at('08:20')]);
    await addClient('west', {}, [at('08:10', 20), at('08:40', 20)]);
    const ids = ['2026-11-20', '2026-11-20T07:40', '2026-11-20T08:60:00.000Z', '2026-11-20T08:by-hand'];
    const newer = ['2026-11-21', '2026-11-21T05:00+02:00', '2026-11-21T08:by-hand'];
    const many = Array.from({ length: 20 }, (_, number) => `2026-11-20T08:by-hand-${number}`);
    for (const name of ['east', 'west'])
      for (const id of [...ids, ...newer, ...many]) await storage.putSnapshotId(name, id);
    expect(await sentencesAt(at('09:05'))).toEqual([
      'west has sent no batch since 2026-11-20 08:40 UTC, for 24 h; before, it sent every 30 minutes.',
      back('08:20', 24),
    ]);
  });
});

describe('the calls of a run', () => {
  /** Responds to the calls as the storage does, unless the function throws. */
  const callsBefore = (decide: (name: 'Scan' | 'Query', number: number) => void) => {
    const counts = { Scan: 0, Query: 0 };
    const { send } = storage.dynamodb;
    vi.spyOn(storage.dynamodb, 'send').mockImplementation(async (command) => {
      const name = 'KeyConditionExpression' in command.input ? 'Query' : 'Scan';
      counts[name] += 1;
      decide(name, counts[name]);
      return send(command);
    });
    return counts;
  };
  const failure = (name: string) => Object.assign(new Error(name), { name });

  it.each(['Scan', 'Query', 'Publish'])(
    'fail it if one does, so that Lambda repeats it: %s',
    async (failing) => {
      await addClient('east', { SilenceFrom: at('08:30', 20) });
      callsBefore((name) => {
        if (name === failing) throw failure('ResourceNotFoundException');
      });
      const publish = async () => {
        if (failing === 'Publish') throw failure('NotFoundException');
      };
      const message = failing === 'Publish' ? /^NotFoundException$/ : /^ResourceNotFoundException$/;
      await expect(run(at('09:05'), { publish })).rejects.toThrow(message);
    },
  );

  it('go on once they are no longer throttled', async () => {
    // So each pause takes 0 ms.
    vi.spyOn(Math, 'random').mockReturnValue(-0.5);
    await addClient('east', {}, [at('08:40', 20)]);
    const counts = callsBefore((_, number) => {
      if (number % 3 !== 0) throw failure('ProvisionedThroughputExceededException');
    });
    expect(await run(at('09:05'))).toHaveLength(1);
    expect(counts).toEqual({ Scan: 3, Query: 9 });
  });

  it('are one for a client in time, and none for a client that nobody waits for', async () => {
    await addClient('east', {}, [at('08:20', 20), at('08:40', 20)]);
    await addClient('west', { SilenceHours: 0 });
    const sent = vi.spyOn(storage.dynamodb, 'send');
    await run(at('08:05'));
    const queries = sent.mock.calls.map(([{ input }]) => input).filter((input) => 'Limit' in input);
    expect(queries).toMatchObject([{ ExpressionAttributeValues: { ':client': { S: 'east' } }, Limit: 1 }]);
  });

  it('read so few batches of a late client that 2,000 late clients with the largest batches need less than 70 s', async () => {
    await addClient(
      'east',
      {},
      Array.from({ length: 9 }, (_, index) => at(`08:3${index}`, 20)),
    );
    const sent = vi.spyOn(storage.dynamodb, 'send');
    await run(at('09:05'));
    const limits = sent.mock.calls.flatMap(([{ input }]) => ('Limit' in input ? (input.Limit ?? 0) : []));
    const LARGEST_BATCH_UNITS = 50;
    const NEW_TABLE_UNITS_PER_SECOND = 12_000;
    const units = 2_000 * LARGEST_BATCH_UNITS * limits.reduce((sum, limit) => sum + limit);
    expect(units / NEW_TABLE_UNITS_PER_SECOND).toBeLessThan(70);
  });
});

describe('while clients send and admins act, each silence and each return is named once', () => {
  it.each([1, 2, 3])('for eleven days from the seed %i', async (seed) => {
    expect(await checkWatch({ seed, clientCount: 60, days: 11, storage })).toBeGreaterThan(500);
  });
});

it('on an engine, a batch in the first or the last millisecond of an hour belongs to this hour, and later parts and ids written by hand to none', async () => {
  storage = engineStorage(testClient(), await createTable('Clients'), await createTable('BalanceSnapshots'));
  const hours = [1, 2, 3, 4, 5, 6].map((hour) => `0${hour}:00`);
  const times = [...hours, '07:50', '08:00', '08:10', '08:20', '08:30', '08:40'];
  await addClient(
    'east',
    {},
    times.map((time) => at(time, 20)),
  );
  await addBatches('east:2', at('08:50'));
  for (const id of ['2026-11-20T08:by-hand', '2026-11-20T08:60:00.000Z'])
    await storage.putSnapshotId('east', id);
  await addClient('west', {}, [at('07:40', 20), at('08:59:59.999')]);
  await addClient('north', {}, [at('07:40', 20), at('09:00'), at('09:30')]);
  await addClient('never', { SilenceFrom: at('08:30', 20) });
  expect(await sentencesAt(at('09:05'))).toEqual([
    'east has sent no batch since 2026-11-20 08:40 UTC, for 24 h; before, it sent every 10 minutes.',
    'No batch of never is stored; one was due at 2026-11-21 08:30 UTC.',
    'west is back: it sent a batch at 2026-11-21 08:59 UTC, after 25 h.',
  ]);
  expect(await sentencesAt(at('10:05'))).toEqual([
    'north is back: it sent a batch at 2026-11-21 09:00 UTC, after 25 h.',
  ]);
});
