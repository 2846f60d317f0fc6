import { afterEach, describe, expect, test, vi } from 'vitest';
import { runDoctorCommand } from '../../../admin/doctor/main.ts';
import { eventually } from '../../support/local-run.ts';
import { captureOutput } from '../in-process.ts';
import { atTerminal } from '../pseudo-terminal.ts';
import { doctorLine, spawnDoctor, startBlindServer } from './doctor.ts';

afterEach(() => void vi.unstubAllEnvs());

const doctorHere = (args: string[]) => {
  vi.stubEnv('WAREHOUSE_PASSWORD', 'secret');
  return captureOutput(() => runDoctorCommand(args));
};

const BASE = ['--base-url', 'http://127.0.0.1:9/live'];
const WRONG_BASE = /Give a URL such as the output BaseUrl/;
const CHECK_LIST = /Give one or more of these checks.*: reach, /;

describe('wrong usage ends with 2 and names the problem:', () => {
  test.each<[string, string[], RegExp]>([
    ['no base URL', ['--client', 'doctor'], /required option '--base-url <url>'/],
    ['no client', BASE, /required option '--client <name>'/],
    ['an FTP base URL', ['--base-url', 'ftp://x', '--client', 'doctor'], WRONG_BASE],
    ['a base URL that is none', ['--base-url', 'x', '--client', 'doctor'], WRONG_BASE],
    ['credentials in the base URL', ['--base-url', 'http://a:b@x', '--client', 'doctor'], WRONG_BASE],
    ['a query in the base URL', ['--base-url', 'http://x/?a', '--client', 'doctor'], WRONG_BASE],
    ['a path in the base URL', ['--base-url', 'http://x/rest/y', '--client', 'doctor'], WRONG_BASE],
    ['a name with a colon', [...BASE, '--client', 'a:b'], /cannot contain a colon/],
    ['an unknown check', [...BASE, '--client', 'doctor', '--only', 'x'], CHECK_LIST],
    ['no check at all', [...BASE, '--client', 'doctor', '--only', ' ,'], CHECK_LIST],
    [
      "a warehouse's client",
      [...BASE, '--client', 'my-doctor'],
      /"silenceHours": 0.+--write-as-this-client/s,
    ],
  ])('%s', async (_, args, problem) => {
    const { code, stdout, stderr } = await doctorHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(problem);
  });

  test.each([
    ['no password', ''],
    ['an empty first line', '\nsecret\n'],
  ])('%s on standard input', async (_, input) => {
    const { code, stdout, stderr } = await spawnDoctor([...BASE, '--client', 'Doctor-2'], input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('There is no password. Set WAREHOUSE_PASSWORD, or give it on standard input.\n');
  });
});

test('--only ignores an extra comma', async () => {
  const { code, stdout } = await doctorHere([...BASE, '--client', 'doctor', '--only', 'reach,,', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ name: 'reach', state: 'wrong' })]);
});

test('--help ends with 0 and gives examples', async () => {
  const { code, stdout, stderr } = await doctorHere(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm run doctor -- \[options\]/);
  expect(stdout).toContain('Examples:\n  npm run doctor -- --base-url https://');
});

test('at a terminal, the doctor asks for the password and does not show it', async () => {
  const terminal = atTerminal(doctorLine([...BASE, '--client', 'DOCTOR', '--only', 'reach']));
  await eventually(() => terminal.seen().includes('Password of DOCTOR'));
  terminal.type('top-secret-7\r');
  const { code, seen } = await terminal.exit;
  expect(seen).not.toContain('top-secret');
  expect(seen).toMatch(/WRONG +reach +nothing answers at that address/);
  expect(code).toBe(1);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s, even twice, ends the run at once with %i and reports what was written',
  async (name, exitCode) => {
    const before = process.rawListeners(name);
    const signal = () => {
      const added = process.rawListeners(name).filter((listener) => !before.includes(listener));
      for (const listener of added) listener(name);
      return added.length;
    };
    let handled: number[] = [];
    const onRequest = () => {
      // npm passes the signal on, so it arrives twice.
      handled = [signal(), signal()];
    };
    const server = await startBlindServer(undefined, { staysOpen: true, onRequest });
    const line = ['--base-url', server.baseUrl, '--client', 'doctor', '--only', 'change,gzip-request'];
    const startedAt = performance.now();
    const { code, stdout, stderr } = await doctorHere([...line, '--json']);
    await server.stop();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(code).toBe(exitCode);
    expect(JSON.parse(stdout)).toEqual([]);
    expect(stderr).toMatch(/^The doctor was stopped early\.\n0 ok, .+\nWritten .+ Up to 1 more/m);
    expect(handled).toEqual([1, 1]);
    expect(process.rawListeners(name)).toEqual(before);
  },
);
