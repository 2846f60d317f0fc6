import { prepare, type Run } from './snippets.ts';
import { startUnreliableWay, type Trouble } from './unreliable-way.ts';

type Account = Parameters<Run>[0];

const withoutUnit = (code: string) => code.replaceAll(/(['"])kg\1/g, '$1$1');

/** Of a program, in seconds or milliseconds. */
export const TIME_OUT = /\b60(000)?\b/g;
/** In seconds; a program that is in such a hurry need not be waited for. */
export const IMPATIENCE = 5;
const impatient = (code: string) => code.replace(TIME_OUT, `${IMPATIENCE}$1`);

/** The change is refused once and cut off once, the list is throttled, and the batch is kept without an answer. */
const many = new Map<number, Trouble>([
  [0, { status: 503, retryAfter: 2 }],
  [1, 'cut'],
  [3, { status: 429, retryAfter: 1 }],
  [5, 'lose'],
]);

const runThrough = async (run: Run, account: Account, troubleOf: (index: number) => Trouble | undefined) => {
  const way = await startUnreliableWay(account.baseUrl, troubleOf);
  const outcome = await run({ ...account, baseUrl: way.baseUrl });
  way.stop();
  return {
    outcome,
    operations: way.arrivals.map(({ path }) => path.split('/').at(-1)),
    bodies: way.arrivals.map(({ body }) => body),
    /** Between a request and the one before it, in milliseconds. */
    pauseBefore: (index: number) => Number(way.arrivals[index]?.at) - Number(way.arrivals[index - 1]?.at),
  };
};

/** What a program makes of a service that works, of its own faults, and of a service that is hard to reach. */
export const outcomesOf = async (language: string, account: Account) => {
  const [run, runSpoiled, runImpatient] = await Promise.all([
    prepare(language),
    prepare(language, withoutUnit),
    prepare(language, impatient),
  ]);
  const plain = await run(account);
  const stranger = await run({ ...account, password: 'wrong' });
  const spoiled = await runSpoiled(account);
  const [troubled, silenced, givenUp] = await Promise.all([
    runThrough(run, account, (index) => many.get(index)),
    runThrough(runImpatient, account, (index) => (index === 0 ? 'stall' : undefined)),
    runThrough(run, account, () => ({ status: 503, retryAfter: 1 })),
  ]);
  return { plain, stranger, spoiled, troubled, silenced, givenUp };
};

export type Outcomes = Awaited<ReturnType<typeof outcomesOf>>;
