import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dynaliteGaps } from '../support/dynalite-gaps.ts';
import { projectFolder } from '../support/run-app.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

test('docs/testing.md lists each test that cannot pass on dynalite, and no other', () => {
  const [, section = ''] = read('docs/testing.md').split('\n## Without the native engine\n');
  const rows = [
    ...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(test\/.+?)` +\| (.+?) +\| (.+?) +\|$/gm),
  ];
  const listed = rows.map(([, file, title, lacks]) => ({ file, title, lacks }));
  expect(listed).toEqual(dynaliteGaps);
});

test.each(dynaliteGaps)('$file has the listed test', ({ file, title }) => {
  expect(read(file)).toMatch(new RegExp(`\\b(it|test)\\((['"])${RegExp.escape(title)}\\2`));
});
