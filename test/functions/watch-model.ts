import { expect } from 'vitest';
import {
  add,
  type ClientChange,
  lock,
  remove,
  rotate,
  set,
  unlock,
} from '../../admin/clients/client-changes.ts';
import { createRandom } from '../../doctor/facts/simulated-clock.ts';
import { createHandler } from '../../functions/watch.ts';
import { toItem } from '../../shared/clients/client.ts';
import { generatePassword } from '../../shared/clients/password.ts';
import { toStoredClient } from '../../shared/clients/write-client.ts';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import type { WatchStorage } from './watch-storage.ts';

/** A Friday, so that a weekend and a Monday follow. */
const START = Date.parse('2026-11-20T00:00:00.000Z');

type Random = () => number;

const pick = <T>(random: Random, ...all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

/** A time in which somebody waited for a client in vain. */
type Silence = {
  client: string;
  lastAt: number;
  lateAt: number;
  end: number;
  endedBy: 'batch' | 'admin' | 'nobody';
};

/** What is stored at a time: the item of a client, or the id of a snapshot. */
type Write = { at: number; client: string } & ({ item: Item } | { id: string });

/** A warehouse that sends now and then, and admins who change its client. Tells what happened without the code of the watch. */
const simulateClient = (client: string, random: Random, until: number) => {
  const writes: Write[] = [];
  const silences: Silence[] = [];
  const adminTimes: number[] = [];
  let at = START - Math.round(random() * 48 * HOUR_MS);
  let item: Item = {};
  let version = 0;
  let state: 'removed' | 'locked' | 'open' = 'removed';
  let closedAt = 0;
  let wait = { from: 0, hours: 0 };
  let lastAt = 0;

  const lateAt = () => Math.max(wait.from, lastAt) + wait.hours * HOUR_MS;
  const endSilence = (endedBy: Silence['endedBy']) => {
    if (state === 'open' && wait.hours > 0 && lateAt() <= at)
      silences.push({ client, lastAt, lateAt: lateAt(), end: at, endedBy });
  };

  const write = ({ attributes }: ClientChange) => {
    version += 1;
    item = toItem({ ...attributes, ChangedBy: 'admin', Version: version }, item);
    writes.push({ at, client, item });
    adminTimes.push(at);
  };
  const stored = () => toStoredClient(client, item).client;
  const newHours = () => pick(random, 0, 1, 1, 2, 5, 24, 72);
  const startWait = (hours: number) => {
    wait = { from: at, hours };
    state = 'open';
  };
  const actions = {
    add: (now: Date) => {
      const silenceHours = newHours();
      const login = { name: client, password: generatePassword(), plan: 'standard', slot: 1 };
      write(add({ ...login, silenceHours, now }, stored()));
      startWait(silenceHours);
    },
    unlock: (now: Date) => {
      write(unlock(stored(), now));
      startWait(wait.hours);
    },
    lock: (now: Date) => {
      endSilence('admin');
      write(lock(stored(), now));
      [state, closedAt] = ['locked', at];
    },
    remove: (now: Date) => {
      endSilence('admin');
      write(remove(stored(), now));
      if (state === 'open') closedAt = at;
      state = 'removed';
    },
    setHours: (now: Date) => {
      const silenceHours = newHours();
      if (silenceHours === wait.hours) return;
      endSilence('admin');
      write(set(stored(), { silenceHours }, now));
      wait = { from: at, hours: silenceHours };
    },
    setPlan: (now: Date) => write(set(stored(), { slot: { Plan: 'slow', Slot: version } }, now)),
    rotate: (now: Date) => {
      const rotation = { password: generatePassword(), overlapHours: 24, isAgain: false };
      write(rotate(stored(), rotation, now));
    },
  };
  const act = () => {
    const now = new Date(at);
    if (state === 'removed') return actions.add(now);
    if (state === 'locked')
      return actions[pick(random, 'unlock', 'unlock', 'setHours', 'remove', 'rotate')](now);
    actions[pick(random, 'setHours', 'setHours', 'lock', 'lock', 'remove', 'setPlan', 'rotate')](now);
  };

  const send = () => {
    // A closed client has access for another minute.
    if (state !== 'open' && at > closedAt + MINUTE_MS) return;
    endSilence('batch');
    lastAt = at;
    writes.push({ at, client, id: newSnapshotId(new Date(at), 'f'.repeat(12)) });
  };
  /** Ids that no batch has: written by hand, and of a later part. */
  const writeOddId = () => {
    const id = pick(random, `${new Date(at).toISOString().slice(0, 14)}by-hand`, 'latest');
    writes.push({ at, client, id });
    writes.push({ at, client: `${client}:2`, id: newSnapshotId(new Date(at), 'f') });
  };

  /** Some steps are at the full hour, or when the client becomes late, to the millisecond. */
  const stepTo = (next: number) => {
    const hour = Math.ceil(next / HOUR_MS) * HOUR_MS;
    const exact = pick(random, next, next, next, next, next, hour, lateAt()) + pick(random, -1, 0, 1);
    at = Math.max(at + 1, Math.round(exact));
  };

  const usualGapMs = pick(random, 0.3, 1, 3, 12, 24) * HOUR_MS;
  act();
  while (at < until) {
    const chance = random();
    if (chance < 0.85) stepTo(at + usualGapMs * (0.8 + 0.4 * random()));
    else stepTo(at + random() * 90 * HOUR_MS);
    if (random() < 0.02) writeOddId();
    if (random() < 0.9) send();
    // Admins act several times within minutes, and programs send meanwhile.
    if (chance < 0.9) continue;
    for (let count = pick(random, 1, 2, 3, 4); count > 0; count -= 1) {
      at += 1;
      act();
      stepTo(at + random() * pick(random, 1, 10, 70) * MINUTE_MS);
      if (random() < 0.4) send();
    }
  }
  at = until;
  endSilence('nobody');
  return { writes, silences, adminTimes };
};

const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const hoursIn = (ms: number) => Math.floor(ms / HOUR_MS);

const describeLate = ({ client, lastAt, lateAt }: Silence, until: number) =>
  lastAt === 0
    ? `No batch of ${client} is stored; one was due at ${timeOf(lateAt)}.`
    : `${client} has sent no batch since ${timeOf(lastAt)}, for ${hoursIn(until - lastAt)} h`;
const describeBack = ({ client, lastAt, end }: Silence) =>
  `${client} is back: it sent a batch at ${timeOf(end)}${lastAt === 0 ? '' : `, after ${hoursIn(end - lastAt)} h`}.`;

/** The hour's beginnings of sentences, in their order. */
const expectedSentences = (silences: readonly Silence[], until: number) => {
  const from = until - HOUR_MS;
  const lasting = silences.filter(({ lateAt, end }) => lateAt < until && end >= until);
  const late = (some: readonly Silence[]) => some.map((silence) => describeLate(silence, until));
  const isWeekly = new Date(until).toISOString().includes('T06:') && new Date(until).getUTCDay() === 1;
  const longLate = isWeekly ? lasting.filter(({ lateAt }) => lateAt < from) : [];
  const newlyLate = lasting.filter(({ lateAt }) => lateAt >= from);
  const back = silences.filter(({ endedBy, end }) => endedBy === 'batch' && end >= from && end < until);
  const nobody = isWeekly && longLate.length + newlyLate.length === 0 ? ['No client is late.'] : [];
  return [...nobody, ...late(newlyLate), ...back.map(describeBack), ...late(longLate)];
};

export type Message = { Subject: string; Message: string };

export const sentencesIn = (messages: readonly Message[]) =>
  messages
    .flatMap(({ Message }) => Message.split('\n'))
    .filter((line) => !/^(Impact|What to do): /.test(line));

/** What SNS accepts. */
const expectPublishable = ({ Subject, Message }: Message) => {
  expect(Buffer.byteLength(Message)).toBeLessThanOrEqual(262_144);
  expect(Subject).toMatch(/^[\x20-\x7e]{1,100}$/);
};

/** A run for each hour at minute 5. Some runs are up to two hours late, and some are repeated. */
const planRuns = (hours: number, random: Random) => {
  const runs = Array.from({ length: hours }, (_, index) => {
    const until = START + (index + 1) * HOUR_MS;
    const startsAt = until + (5 + (random() < 0.1 ? random() * 120 : 0)) * MINUTE_MS;
    const repeatedAt = random() < 0.05 ? [startsAt + 40 * MINUTE_MS] : [];
    return [startsAt, ...repeatedAt].map((time, count) => ({ until, startsAt: time, isRepeated: count > 0 }));
  });
  return runs.flat().sort((a, b) => a.startsAt - b.startsAt);
};

type Model = { seed: number; clientCount: number; days: number; storage: WatchStorage };

/**
 * Runs the watch each hour, while clients send and admins act. Each run has to name exactly the clients that became late or
 * were back in its hour, and on a Monday all that are late. Returns how many there were.
 */
export const checkWatch = async ({ seed, clientCount, days, storage }: Model) => {
  const random = createRandom(seed);
  const runs = planRuns(days * 24, random);
  const end = START + (days * 24 + 4) * HOUR_MS;
  const simulated = Array.from({ length: clientCount }, (_, index) =>
    simulateClient(`client-${String(index).padStart(4, '0')}`, random, end),
  );
  const writes = simulated.flatMap((client) => client.writes).sort((a, b) => b.at - a.at);
  const silences = simulated.flatMap((client) => client.silences);
  const writeUntil = async (time: number) => {
    while ((writes.at(-1)?.at ?? end) <= time) {
      const next = writes.pop();
      if (next && 'item' in next) await storage.putClient(next.item);
      else if (next) await storage.putSnapshotId(next.client, next.id);
    }
  };

  let messages: Message[] = [];
  const publish = async (message: Message) => messages.push(message);
  const handler = createHandler({ ...storage, publish, stack: 'Model', runbook: 'runbook.md' });
  const told: string[] = [];
  for (const { until, startsAt, isRepeated } of runs) {
    await writeUntil(startsAt);
    messages = [];
    await handler({ time: new Date(until + 5 * MINUTE_MS).toISOString() });
    const expected = expectedSentences(silences, until);
    const sentences = sentencesIn(messages);
    const beginnings = sentences.map((sentence, index) => sentence.slice(0, expected[index]?.length));
    expect(beginnings, `seed ${seed}, the hour until ${new Date(until).toISOString()}`).toEqual(expected);
    messages.forEach(expectPublishable);
    if (!isRepeated) told.push(...sentences);
  }
  return told.length;
};
