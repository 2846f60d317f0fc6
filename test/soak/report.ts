import type { Check } from './checks.ts';
import type { Memory } from './memory.ts';
import type { TallyRow } from './tally.ts';

export type Report = {
  seconds: number;
  clients: number;
  requests: TallyRow[];
  kept: { changes: number; snapshots: number };
  memory: Memory;
  checks: Check[];
};

/** For people; programs read the report itself. */
export const textOf = ({ seconds, clients, requests, kept, memory, checks }: Report) =>
  [
    `${clients} clients, ${seconds.toFixed(0)} s, ${sum(requests.map(({ perSecond }) => perSecond)).toFixed(1)} requests a second`,
    '',
    table(
      ['request', 'status', 'count', 'per s', 'median ms', '99 % ms', 'max ms'],
      requests.map(({ kind, status, count, perSecond, medianMs, p99Ms, maxMs }) => [
        kind,
        status === 0 ? 'none' : String(status),
        String(count),
        perSecond.toFixed(1),
        ...[medianMs, p99Ms, maxMs].map((time) => time.toFixed(0)),
      ]),
    ),
    '',
    `kept: ${kept.changes} changes, ${kept.snapshots} snapshots`,
    '',
    table(
      [
        'MB of the largest process',
        'processes',
        'first quarter',
        'last quarter',
        'allowed',
        'highest',
        'limit',
      ],
      memory.map(({ kind, processes, beforeMb, afterMb, allowedMb, highestMb, limitMb }) => [
        kind,
        String(processes),
        ...[beforeMb, afterMb, allowedMb, highestMb].map((size) => size.toFixed(0)),
        String(limitMb ?? ''),
      ]),
    ),
    '',
    ...checks.flatMap(failure),
    `${checks.filter(({ faults }) => faults.length === 0).length} of ${checks.length} checks passed`,
    '',
  ].join('\n');

const SHOWN_FAULTS = 5;
const SHOWN_CHARACTERS = 250;

const failure = ({ name, faults }: Check) => {
  if (faults.length === 0) return [];
  const more = faults.length - SHOWN_FAULTS;
  return [
    `FAILED: ${name}`,
    ...faults.slice(0, SHOWN_FAULTS).map((fault) => `  ${fault.slice(0, SHOWN_CHARACTERS)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
};

const table = (head: string[], rows: string[][]) => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
