import { count, numbersTable, percent } from '../../harness/markdown.ts';
import { told } from '../spread.ts';
import type { Contestant, Measured } from './first-request.ts';

export const document = ({ runs, requests, entries, delayMs, contestants }: Measured) => {
  const row = (contestant: Contestant) => {
    const { name, away, beside, connectionMs } = contestant;
    return [
      name,
      told(away.loadMs),
      told(away.first),
      ...[away.second.median, away.last.median, untilAnswered(contestant), connectionMs.median].map(inMs),
      ...[beside.first.median, beside.last.median].map(inMs),
    ];
  };
  const heads = [
    '',
    'Load, ms',
    'First, ms',
    'Second, ms',
    `${count(requests)}th, ms`,
    'Load and first, ms',
    'Connection, ms',
    'First beside, ms',
    `${count(requests)}th beside, ms`,
  ];
  return `## The first request, and those after it

A new process loads its bundle and then serves ${requests} batches of ${entries} entries, one after the other; medians of ${runs} processes each.
The table is away: over TLS, and all that is sent takes ${delayMs} ms or a little more each way, the opening of the connection included.
*Connection* is how much later the first request arrives there than it would over a connection that stands. *Beside* is the same with the
table on the same machine, without TLS: what the first request takes longer there is code that runs for the first time.

${numbersTable(heads, contestants.map(row))}

${verdict(contestants)}
`;
};

const inMs = (ms: number) => count(ms, 1);

const untilAnswered = ({ away }: Contestant) => away.loadMs.median + away.first.median;

const verdict = (contestants: readonly Contestant[]) => {
  const ours = contestants.find(({ name }) => name === 'ours');
  if (!ours) throw new Error('Ours was not measured.');
  const others = contestants
    .filter((each) => each !== ours)
    .map((each) => `${percent(untilAnswered(ours) / untilAnswered(each))} of *${each.name}*`);
  const connection = ours.connectionMs.median;
  return `Loading and the first answer together, ours takes ${others.join(', ')}.
Of its first request, ${inMs(connection)} ms or ${percent(connection / ours.away.first.median)} are the connection.`;
};
