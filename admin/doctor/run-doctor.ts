import { counted } from '../cli/words.ts';
import { checks as allChecks } from './checks/all.ts';
import type { State } from './outcome.ts';
import { createRedactor, type Quote } from './probe/redact.ts';
import { WrittenRecords } from './probe/written-records.ts';
import { type Check, type Result, runChecks } from './run-checks.ts';

export type DoctorOptions = {
  /** Without a slash at the end. */
  baseUrl: string;
  client: string;
  username: string;
  password: string;
  json: boolean;
  /** The names of the checks to run; without it, all. */
  only?: readonly string[] | undefined;
};

export type DoctorContext = {
  /** For results. With --json, only for the JSON. */
  print: (line: string) => unknown;
  /** For messages that must not mix with JSON. */
  say: (line: string) => unknown;
  now: () => number;
  timeLimitMs?: number;
  interrupted: AbortSignal;
};

/** The gateway answers within 29 s. */
const TIME_LIMIT_MS = 35_000;

/** Returns whether no check failed. */
export const runDoctor = async (options: DoctorOptions, context: DoctorContext): Promise<boolean> => {
  const { baseUrl, client, username, password, json, only } = options;
  const { now, print, timeLimitMs = TIME_LIMIT_MS, interrupted } = context;
  const say = json ? context.say : print;
  const checks = allChecks.filter(({ name }) => only?.includes(name) ?? true);
  const written = new WrittenRecords();
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const quote = createRedactor(username, password);
  const session = { baseUrl, username, authorization, quote, written, now };

  say(announceWrites(client, checks));
  const results: Result[] = [];
  for await (const result of runChecks(session, checks, timeLimitMs, interrupted)) {
    results.push(result);
    if (!json) print(formatResult(result));
  }
  if (json) print(JSON.stringify(results, null, 2));
  if (interrupted.aborted) say('The doctor was stopped early.');
  say(summarize(results));
  for (const line of reportWrites(client, written, quote)) say(line);
  return !results.some(({ state }) => state === 'wrong');
};

const countWrites = (changes: number, snapshots: number) =>
  `${counted(changes, 'change')} and ${counted(snapshots, 'snapshot')}`;

const announceWrites = (client: string, checks: readonly Check[]) => {
  const sumOf = (kind: 'changes' | 'snapshots') =>
    checks.reduce((sum, { writes }) => sum + (writes?.[kind] ?? 0), 0);
  const count = countWrites(sumOf('changes'), sumOf('snapshots'));
  return `When all is well, these checks write ${count} under the client ${client}.`;
};

const LABELS: Record<State, string> = { ok: 'ok', wrong: 'WRONG', note: 'note', 'not-tried': '-' };
const NAME_WIDTH = Math.max(...allChecks.map(({ name }) => name.length));

const formatResult = ({ state, name, seen, todo }: Result) =>
  `${LABELS[state].padEnd(LABELS.wrong.length)}  ${name.padEnd(NAME_WIDTH)}  ${seen}${todo ? `; ${todo}` : ''}`;

const summarize = (results: readonly Result[]) => {
  const count = (wanted: State) => results.filter(({ state }) => state === wanted).length;
  return `${count('ok')} ok, ${count('wrong')} wrong, ${counted(count('note'), 'note')}, ${count('not-tried')} not tried.`;
};

const reportWrites = (client: string, { changes, snapshots, uncertain }: WrittenRecords, quote: Quote) => {
  const doubt =
    uncertain > 0
      ? ` Up to ${uncertain} more may have been written, because their responses did not arrive.`
      : '';
  const count = countWrites(changes.size, snapshots.length);
  return [
    `Written under the client ${client}: ${count}.${doubt}`,
    ...snapshots.map((id) => `  ${quote(id)}`),
  ];
};
