import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dynaliteGaps } from '../support/dynalite-gaps.ts';
import { projectFolder } from '../support/run-app.ts';

test.each(dynaliteGaps)('$file has the test that cannot pass on dynalite: $title', ({ file, title }) => {
  const source = readFileSync(join(projectFolder, file), 'utf8');
  expect(source).toMatch(new RegExp(`\\b(it|test)\\((['"])${RegExp.escape(title)}\\2`));
});
