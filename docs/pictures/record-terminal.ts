import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { drawTerminal, type Step, typeCommand } from './draw-terminal.ts';
import { atTerminal } from './terminal.ts';

/*
 * node docs/pictures/record-terminal.ts  runs the commands of docs/pictures/terminal.svg and draws what they print.
 *                                        It needs port 3000, and `script` of util-linux.
 */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const COLUMNS = 100;
const CHECK_LINES = 17;

const START = 'npm start -- --demo --memory';
const CHECK = 'npx warehouse-admin --local check';
const BATCH = `curl -u "$CREDENTIALS" "$BASE_URL/rest/warehouse-control/material-stock-balance" \\
  -H 'Content-Type: application/json' -d '{"MaterialCodes": [
    {"MaterialCode": "ABC-1", "StockBalance": "12,5", "StockBalanceUnit": "kg",
     "PurchaseOrders": []}]}'`;

/** A line that is too long goes on in the next line, as in a terminal. */
const wrap = (line: string) => {
  const characters = [...line];
  const count = Math.max(1, Math.ceil(characters.length / COLUMNS));
  return Array.from({ length: count }, (_, row) =>
    characters.slice(row * COLUMNS, (row + 1) * COLUMNS).join(''),
  );
};

const printed = (lines: readonly string[], seconds: number): Step => ({
  lines: lines.flatMap(wrap),
  seconds,
});

/** One step for each line, as they come one after another. */
const printedSlowly = (lines: readonly string[], seconds: number) =>
  lines.map((line) => printed([line], seconds));

const shorten = (lines: readonly string[]) =>
  lines.length <= CHECK_LINES
    ? lines
    : [...lines.slice(0, CHECK_LINES), `… ${lines.length - CHECK_LINES} more lines`];

const run = (command: string, env?: NodeJS.ProcessEnv) => atTerminal(command, COLUMNS, env).linesAtExit;

process.chdir(PROJECT);
const service = atTerminal(START, COLUMNS);
await service.shows('Ctrl-C');
const startLines = service.lines();
const exportLine = startLines.find((line) => line.startsWith('export BASE_URL=')) ?? '';
const [, BASE_URL, CREDENTIALS, password] =
  /BASE_URL='(.+)' CREDENTIALS='([^:]+:(.+))'/.exec(exportLine) ?? [];
const refusal = await run(BATCH, { BASE_URL, CREDENTIALS });
const findings = await run(CHECK);
service.interrupt();
await service.linesAtExit;

if (password === undefined) throw new Error(`The start printed no password to hide: ${exportLine}`);

const hidePassword = (line: string) => line.replaceAll(password, '…');
const ready = startLines.findIndex((line) => line.startsWith('Ready'));
const scenes = [
  {
    title: 'The service',
    steps: [
      typeCommand(START),
      ...printedSlowly(startLines.slice(0, ready), 0.35),
      printed(startLines.slice(ready).map(hidePassword), 4),
    ],
  },
  {
    title: 'Another terminal',
    steps: [
      printed([`$ ${hidePassword(exportLine)}`], 0.6),
      typeCommand(BATCH),
      printed([...refusal, ''], 3),
      typeCommand(CHECK),
      printed(shorten(findings), 5),
    ],
  },
];
const title = 'A terminal: the service starts and refuses a batch, and the check lists what looks wrong';
const svg = drawTerminal(title, scenes, COLUMNS);
for (const path of [PROJECT, homedir()])
  if (svg.includes(path)) throw new Error(`The recording shows a path of this machine: ${path}`);
writeFileSync(fileURLToPath(new URL('terminal.svg', import.meta.url)), svg);
process.stdout.write(`docs/pictures/terminal.svg has ${svg.length} characters.\n`);
