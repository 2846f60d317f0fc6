import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { onlyMatch, temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { scriptsIn } from './scripts-in.ts';

const page = readFileSync(join(projectFolder, 'docs/restoring.md'), 'utf8');
const scripts = scriptsIn(page);

/** Replaces the programs: the list had two codes then. `xargs` has the one option that every system knows. */
const PROGRAMS = {
  aws: `echo '["A","B"]'`,
  npx: String.raw`if [ "$3" = list ]; then printf '%s' "$CODES_NOW"; else printf '%s\n' "$@"; fi`,
  xargs: '[ "$1" = -0 ] || { echo "xargs: illegal option -- $1" >&2; exit 1; }; exec "$XARGS" "$@"',
};

it.each([
  ['removes the rows that an import added', ['A', 'new', 'B', 'Сталь-10/А', 'of two words'], 3],
  ['removes nothing if the import added no row', ['B'], 0],
])('the command of a bad import %s, with the xargs of any system', (_, now, removed) => {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const script = onlyMatch(scripts, (text) => text.includes('added.txt'));
  const { stdout, stderr, status } = spawnSync('sh', ['-euc', script], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: [folder, process.env['PATH']].join(delimiter),
      ...{ XARGS: '/usr/bin/xargs', RESTORED: 'restored', STACK: 'Warehouse' },
      CODES_NOW: JSON.stringify(now.map((MaterialCode) => ({ MaterialCode }))),
    },
  });
  expect([status, stderr]).toEqual([0, '']);
  const line = ['warehouse-admin', 'codes', 'remove', '--stack', 'Warehouse', '--yes', '--'];
  const added = now.filter((code) => !['A', 'B'].includes(code));
  expect(added).toHaveLength(removed);
  expect(stdout.split('\n').slice(0, -1)).toEqual(removed > 0 ? [...line, ...added] : []);
});
