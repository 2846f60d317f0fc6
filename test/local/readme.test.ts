import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalRun, projectFolder, startLocal } from '../support/local-run.ts';

/** The blocks that a reader pastes into a shell with BASE_URL and CREDENTIALS set. */
const examples = [...readFileSync(join(projectFolder, 'README.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)]
  .map(([, block = '']) => block)
  .filter((block) => block.startsWith('curl -u "$CREDENTIALS" "$BASE_URL'));

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal({ args: ['--quiet'] });
});
afterAll(() => run.stop());

describe("the README's requests", () => {
  test('are of all four operations', () => {
    const paths = ['changes', 'material-codes', 'purchase-orders', 'material-stock-balance'];
    for (const path of paths) expect(examples.join()).toContain(`/rest/warehouse-control/${path}"`);
  });

  test.each(examples)('are answered with 200 when they are pasted (block %#)', async (block) => {
    const [[username, password] = ['', '']] = Object.entries(run.outputs().Clients);
    const statusOnly =
      'curl() { command curl --silent --output /dev/null --write-out "%{http_code} " "$@"; }';
    const { stdout } = await promisify(execFile)('bash', ['-c', `${statusOnly}\n${block}`], {
      env: {
        PATH: process.env['PATH'],
        BASE_URL: run.outputs().BaseUrl,
        CREDENTIALS: `${username}:${password}`,
      },
    });
    const requests = block.split('\n').filter((line) => line.startsWith('curl ')).length;
    expect(stdout.trim().split(' ')).toEqual(Array(requests).fill('200'));
  });
});
