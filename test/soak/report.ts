import { Console } from 'node:console';
import type { Check } from './checks.ts';
import type { MemoryRow } from './memory.ts';
import type { Results } from './statistics.ts';

export type Report = {
  seconds: number;
  clients: number;
  requests: Results['requests'];
  acknowledged: { changes: number; snapshots: number };
  memory?: MemoryRow[];
  checks: Check[];
};

const SHOWN_FAULTS = 5;
const SHOWN_CHARACTERS = 250;

const terminal = new Console(process.stdout);

export const printReport = ({ seconds, clients, requests, acknowledged, memory, checks }: Report) => {
  const count = requests.reduce((sum, row) => sum + row.count, 0);
  terminal.log(
    `${clients} clients, ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(1)} requests a second`,
  );
  terminal.table(requests.map(rounded));
  terminal.log(
    `${acknowledged.changes} acknowledged changes, ${acknowledged.snapshots} acknowledged snapshots`,
  );
  if (memory) {
    terminal.log('Memory of the largest process of each kind:');
    terminal.table(memory.map(rounded));
  }
  const failed = checks.filter(({ faults }) => faults.length > 0);
  for (const { name, faults } of failed) {
    terminal.log(`FAILED: ${name}`);
    for (const fault of faults.slice(0, SHOWN_FAULTS)) terminal.log(`  ${fault.slice(0, SHOWN_CHARACTERS)}`);
    if (faults.length > SHOWN_FAULTS) terminal.log(`  and ${faults.length - SHOWN_FAULTS} more`);
  }
  terminal.log(`${checks.length - failed.length} of ${checks.length} checks passed`);
};

const rounded = (row: object) => {
  const round = (value: unknown) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]));
};
