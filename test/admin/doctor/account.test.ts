import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { doctorCommand } from '../../../admin/doctor/run-doctor.ts';
import { hearing } from '../in-process.ts';
import { accountOf, answerOf, consulted, startBlindServer, verdicts } from './consulted.ts';

const visitTo = async (bytes: string | Buffer | undefined, only: string[]) => {
  const server = await startBlindServer(bytes);
  const visit = await consulted({ baseUrl: server.baseUrl, only });
  await server.stop();
  return visit;
};

const NAMED = JSON.stringify({ Timestamp: 'now' });
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';

describe('what may have been written is told of where a POST', () => {
  test.each<[string, string | Buffer | undefined]>([
    ['is taken with a page', answerOf(200, '<title>Welcome</title>', 'text/html')],
    ['is taken with nothing', answerOf(200, '')],
    [
      'is taken with what is packed, though not asked for',
      answerOf(200, gzipSync(NAMED), 'application/json', 'Content-Encoding: gzip\r\n'),
    ],
    ['is taken with JSON that is no object', answerOf(200, '[]')],
    ['is taken with JSON that names nothing', answerOf(200, '{"Kept":true}')],
    ['is taken with a name that is no text', answerOf(200, '{"Timestamp":1,"SnapshotId":null}')],
    ['fails', answerOf(500, NAMED)],
    ['fails without words', answerOf(503, '')],
    ['has no answer', undefined],
    ['has half an answer', answerOf(200, NAMED).subarray(0, -4)],
    ['is answered in another protocol', SWITCHED],
  ])('%s', async (_, bytes) => {
    const visit = await visitTo(bytes, ['change']);
    expect(verdicts(visit).get('change')?.state).toBe('WRONG');
    expect(accountOf(visit)).toEqual([
      'No answer tells of anything written. There may be up to 1 more, whose answer told nothing.',
    ]);
  });

  test.each([400, 403, 429])('but not where it is refused with %i', async (status) => {
    const visit = await visitTo(answerOf(status, NAMED, 'application/json', 'Retry-After: 0\r\n'), [
      'change',
    ]);
    expect(accountOf(visit)).toEqual(['Nothing was written.']);
  });

  test('and what is named counts as written', async () => {
    const visit = await visitTo(answerOf(200, NAMED), ['change']);
    expect(accountOf(visit)).toEqual(['Written under the client warehouse: 1 change and 0 snapshots.']);
  });
});

describe('a signal ends the command at once, with the account on standard error and a code of its own:', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s', async (name, expected) => {
    vi.stubEnv('WAREHOUSE_PASSWORD', 'secret');
    const before = process.listeners(name);
    // As it is where npm passes it on.
    const signal = () => {
      for (const listener of process.listeners(name)) if (!before.includes(listener)) listener(name);
    };
    const server = await startBlindServer(undefined, {
      stays: true,
      onAsked: () => {
        signal();
        signal();
      },
    });
    const line = ['--base-url', server.baseUrl, '--client', 'doctor', '--only', 'change,gzip-request'];
    const started = performance.now();
    const { code, stdout, stderr } = await hearing(() => doctorCommand([...line, '--json']));
    await server.stop();
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(code).toBe(expected);
    expect(JSON.parse(stdout)).toEqual([]);
    expect(stderr).toMatch(/^Ended early\.\n0 ok, .+\nNo answer tells .+ up to 1 more/m);
    expect(process.listeners(name)).toEqual(before);
  });
});
