import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundle } from '../infra/functions/bundle.ts';
import { ours, temporaryBuilds } from './performance/builds.ts';

test('What is measured as deployed is what is deployed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-bundle-'));
  const builds = temporaryBuilds();
  onTestFinished(() => {
    builds.remove();
    rmSync(folder, { recursive: true });
  });
  bundle('post-change', folder, join(folder, 'source-maps'));
  const measured = builds.deployed(ours('post-change')).folder;
  for (const file of ['index.js', 'package.json']) {
    expect(readFileSync(join(measured, file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'));
  }
});
