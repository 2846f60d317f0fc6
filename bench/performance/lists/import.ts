import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { writeOutputs } from '../../../test/support/table-reader.ts';
import { count, textTable } from '../../harness/markdown.ts';
import { rounded } from '../../harness/statistics.ts';
import type { ListsSetup } from './setup.ts';
import { shortRow } from './table.ts';

/** That the admin's import refuses a file whose list would be too long for an answer. */

const Refused = v.strictObject({
  rows: v.number(),
  exitCode: v.number(),
  said: v.string(),
  seconds: v.number(),
  hasWritten: v.boolean(),
});
export const Imports = v.array(Refused);
type Refused = v.InferOutput<typeof Refused>;

const MAIN = fileURLToPath(new URL('../../../admin/main.ts', import.meta.url));

const fileOf = (folder: string, rows: number) => {
  const file = join(folder, 'codes.csv');
  const lines = Array.from({ length: rows }, (_, index) => {
    const { MaterialCode, Unit } = shortRow(index);
    return `${MaterialCode?.S},${Unit?.S}\n`;
  });
  writeFileSync(file, `MaterialCode,Unit\n${lines.join('')}`);
  return file;
};

export const measureImport = async (setup: ListsSetup, rows: number): Promise<Refused> => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-import-'));
  try {
    const table = await setup.createTable();
    writeOutputs(folder, setup.engine.endpoint, { MaterialCodes: table });
    const args = ['codes', 'import', fileOf(folder, rows), '--local', '--data', folder];
    const started = performance.now();
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return {
      rows,
      exitCode,
      said: said.trim().replaceAll(`${folder}/`, ''),
      seconds: rounded((performance.now() - started) / 1_000, 1),
      hasWritten: await setup.hasRows(table),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

export const documentImports = (imports: readonly Refused[]) => {
  const table = textTable(
    ['Rows in the file', 'Exit code', 'Seconds', 'Rows written', 'It says'],
    imports.map(({ rows, exitCode, seconds, hasWritten, said }) => [
      count(rows),
      String(exitCode),
      count(seconds, 1),
      hasWritten ? 'some' : '0',
      said.replaceAll('\n', ' '),
    ]),
  );
  return `The admin's import counts what the list would take of an answer before it writes anything, and stops counting a file that is far too long:

${table}
`;
};
