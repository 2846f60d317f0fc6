import { isDoctorClient } from '../cli/arguments.ts';
import { WrongUsage } from '../cli/failure.ts';
import { counted } from '../cli/words.ts';
import { type Check, writesOf } from './check.ts';
import { checks as allChecks } from './checks/all.ts';
import type { State } from './outcome.ts';
import type { Service } from './probe-client.ts';
import { quoting } from './quote.ts';
import { Records } from './records.ts';
import { type Result, runChecks } from './run-checks.ts';

type Print = (text: string) => void;

export type Order = {
  /** Without a slash at the end. */
  baseUrl: string;
  client: string;
  /** What it signs in with. */
  username: string;
  password: string;
  isAnyClientRight: boolean;
  isJson: boolean;
  /** The names of those to try; all of them, where none is named. */
  only?: readonly string[] | undefined;
};

export type Surroundings = {
  /** The results; in JSON, nothing else. */
  print: Print;
  /** What else there is to tell. */
  say: Print;
  now: () => number;
  timeLimitMs?: number;
  /** Ends it at once. */
  interrupted?: AbortSignal;
};

/** No answer of the gateway takes longer than 29 s. */
const TIME_LIMIT_MS = 35_000;

const NEVER = new AbortController().signal;

/** Before a password is asked for. */
export const expectOwnClient = ({ client, isAnyClientRight }: Pick<Order, 'client' | 'isAnyClientRight'>) => {
  if (isAnyClientRight || isDoctorClient(client)) return;
  throw new WrongUsage(
    [
      'The doctor writes test data, and does so under a client whose name begins with "doctor".',
      'To make one: in cdk.json, under "warehouse-control", add { "name": "doctor", "silenceHours": 0 } to clients, and deploy.',
      '`npx warehouse-admin clients show doctor --reveal` tells its password.',
      '--write-as-this-client lets it write under the one that was given all the same.',
    ].join('\n'),
  );
};

/** Tries the deployment as its clients would; answers whether nothing was wrong. */
export const runDoctor = async (order: Order, surroundings: Surroundings): Promise<boolean> => {
  expectOwnClient(order);
  const { baseUrl, client, username, password, isJson } = order;
  const { now, print, timeLimitMs = TIME_LIMIT_MS, interrupted = NEVER } = surroundings;
  const say = isJson ? surroundings.say : print;
  const checks = chosen(order.only);
  const records = new Records(now());
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const service: Service = {
    baseUrl,
    client,
    username,
    authorization,
    ...quoting(username, password),
    now,
    records,
  };

  for (const line of announcement(client, checks)) say(line);
  const results: Result[] = [];
  for await (const result of runChecks(service, checks, timeLimitMs, interrupted)) {
    results.push(result);
    if (!isJson) print(lineOf(result));
  }
  if (isJson) print(JSON.stringify(results, null, 2));
  if (interrupted.aborted) say('Ended early.');
  say(summaryOf(results));
  for (const line of account(service)) say(line);
  return !results.some(({ state }) => state === 'wrong');
};

const chosen = (only: readonly string[] | undefined) =>
  only ? allChecks.filter(({ name }) => only.includes(name)) : allChecks;

const announcement = (client: string, checks: readonly Check[]) => {
  const { changes, snapshots } = writesOf(checks);
  const what = `${counted(changes, 'change')} and ${counted(snapshots, 'snapshot')}`;
  if (changes + snapshots === 0) return ['These checks write nothing.'];
  return [
    `Where all is well, this writes ${what} under the client ${client}.`,
    'Other batches are refused, as they have to be: alarms tell of that, unless the silenceHours of the client are 0.',
  ];
};

const LABELS: Record<State, string> = { ok: 'ok', wrong: 'WRONG', note: 'note', 'not-tried': '-' };
const LABEL_WIDTH = Math.max(...Object.values(LABELS).map(({ length }) => length));
const NAME_WIDTH = Math.max(...allChecks.map(({ name }) => name.length));

const lineOf = ({ state, name, seen, todo }: Result) =>
  `${LABELS[state].padEnd(LABEL_WIDTH)}  ${name.padEnd(NAME_WIDTH)}  ${seen}${todo ? `; ${todo}` : ''}`;

const summaryOf = (results: readonly Result[]) => {
  const count = (wanted: State) => results.filter(({ state }) => state === wanted).length;
  return `${count('ok')} ok, ${count('wrong')} wrong, ${counted(count('note'), 'note')}, ${count('not-tried')} not tried.`;
};

/** So that whoever reads the tables can tell these from a warehouse's. */
const account = ({ client, quoteId, records }: Service) => {
  const { changes, snapshots, withoutAnswer } = records;
  const uncertain =
    withoutAnswer > 0 ? ` There may be up to ${withoutAnswer} more, whose answer told nothing.` : '';
  if (changes.size + snapshots.length === 0) {
    return [uncertain ? `No answer tells of anything written.${uncertain}` : 'Nothing was written.'];
  }
  const what = `${counted(changes.size, 'change')} and ${counted(snapshots.length, 'snapshot')}`;
  const end = snapshots.length > 0 ? ':' : '.';
  return [
    `Written under the client ${client}: ${what}${uncertain ? `.${uncertain}` : end}`,
    ...snapshots.map((id) => `  ${quoteId(id)}`),
  ];
};
