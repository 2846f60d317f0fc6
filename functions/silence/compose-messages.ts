import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import type { Silence } from './find-silences.ts';

type Run = {
  stack: string;
  runbook: string;
  /** The clients that became late, or sent again, in the hour. A weekly run also has the clients that are still late. */
  silences: readonly Silence[];
  /** The end of the hour that the run looks at. */
  until: number;
  /** A weekly run names all who are late, or says that nobody is. */
  isWeekly: boolean;
};

/** SNS accepts 262,144 bytes. */
const MAX_MESSAGE_BYTES = 250_000;

const IMPACT = 'Impact: People who read the balances of a late client see old balances and work with them.';

/** Names all clients, in as many messages as it takes. What has changed in the hour comes first. */
export const composeMessages = ({ stack, runbook, silences, until, isWeekly }: Run) => {
  const late = silences.filter(({ endedAt }) => endedAt === undefined);
  const ended = silences.filter(({ endedAt }) => endedAt !== undefined);
  const describeAll = (all: readonly Silence[]) => all.map((silence) => describeLate(silence, until));
  const sentences = [
    ...(isWeekly && late.length === 0 ? ['No client is late.'] : []),
    ...describeAll(late.filter(({ hasChanged }) => hasChanged)),
    ...ended.map(describeEnd),
    ...describeAll(late.filter(({ hasChanged }) => !hasChanged)),
  ];
  const foot = late.length > 0 ? [IMPACT, `What to do: ${runbook}#silence`] : [];
  const subject = `${stack}: ${late.length} ${isWeekly ? 'late' : 'newly late'}, ${ended.length} back`;
  const groups = inMessages(sentences, MAX_MESSAGE_BYTES - sizeOf(foot));
  return groups.map((group, index) => ({
    Subject: groups.length > 1 ? `${subject}, ${index + 1} of ${groups.length}` : subject,
    Message: [...group, ...foot].join('\n'),
  }));
};

/** The bytes of the lines and of their ends. */
const sizeOf = (lines: readonly string[]) =>
  lines.reduce((bytes, line) => bytes + Buffer.byteLength(line) + 1, 0);

/** Puts the sentences, in their order, into groups of at most this size. */
const inMessages = (sentences: readonly string[], maxBytes: number) => {
  const groups: string[][] = [];
  let freeBytes = 0;
  for (const sentence of sentences) {
    const size = sizeOf([sentence]);
    if (size > freeBytes) {
      groups.push([]);
      freeBytes = maxBytes;
    }
    groups.at(-1)?.push(sentence);
    freeBytes -= size;
  }
  return groups;
};

const describeLate = ({ client, lastAt, lateFrom, usualGapMs }: Silence, until: number) => {
  if (lastAt === undefined) return `No batch of ${client} is stored; one was due at ${timeOf(lateFrom)}.`;
  const before = usualGapMs ? `; before, it sent every ${describeGap(usualGapMs)}` : '';
  return `${client} has sent no batch since ${timeOf(lastAt)}, for ${hoursBetween(lastAt, until)} h${before}.`;
};

const describeEnd = ({ client, lastAt, endedAt = 0 }: Silence) => {
  const after = lastAt === undefined ? '' : `, after ${hoursBetween(lastAt, endedAt)} h`;
  return `${client} is back: it sent a batch at ${timeOf(endedAt)}${after}.`;
};

const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const hoursBetween = (from: number, until: number) => Math.floor((until - from) / HOUR_MS);

const describeGap = (gapMs: number) => {
  const minutes = Math.round(gapMs / MINUTE_MS);
  if (minutes <= 1) return 'minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(gapMs / HOUR_MS)} hours`;
};
