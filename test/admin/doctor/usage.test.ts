import { afterEach, describe, expect, test, vi } from 'vitest';
import { doctorCommand } from '../../../admin/doctor/run-doctor.ts';
import { eventually } from '../../support/local-run.ts';
import { hearing } from '../in-process.ts';
import { atTerminal } from '../pseudo-terminal.ts';
import { doctor, doctorLine } from './command.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Here and not as a process of its own, where only words and codes matter. */
const doctorHere = (args: string[]) => {
  vi.stubEnv('WAREHOUSE_PASSWORD', 'secret');
  return hearing(() => doctorCommand(args));
};

const BASE = ['--base-url', 'http://127.0.0.1:9/live'];

describe('wrong usage ends with 2 and says what is wrong:', () => {
  test.each<[string, string[], RegExp]>([
    ['no base URL', ['--client', 'doctor'], /required option '--base-url <url>'/],
    ['no client', BASE, /required option '--client <name>'/],
    ['a base URL that is none', ['--base-url', 'ftp://x', '--client', 'doctor'], /Give a URL with https/],
    ['credentials in it', ['--base-url', 'http://a:b@x', '--client', 'doctor'], /without user name/],
    [
      'the path in it',
      ['--base-url', 'http://x/rest/warehouse-control', '--client', 'doctor'],
      /stands before/,
    ],
    ['a name with a colon', [...BASE, '--client', 'a:b'], /no colon/],
    ['an unknown check', [...BASE, '--client', 'doctor', '--only', 'x'], /no check "x". There are: reach, /],
    ['no check at all', [...BASE, '--client', 'doctor', '--only', ' ,'], /Name a check. There are: reach, /],
    [
      "a warehouse's client",
      [...BASE, '--client', 'my-doctor'],
      /"silenceHours": 0.+--write-as-this-client/s,
    ],
  ])('%s', async (_, args, words) => {
    const { code, stdout, stderr } = await doctorHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  });

  test.each([
    ['nothing', ''],
    ['an empty first line', '\nsecret\n'],
  ])('%s on standard input', async (_, input) => {
    const { code, stdout, stderr } = await doctor([...BASE, '--client', 'Doctor-2'], { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('There is no password: set WAREHOUSE_PASSWORD, or give it on standard input.\n');
  });
});

test('a comma too many among the checks counts for nothing', async () => {
  const args = [...BASE, '--client', 'doctor', '--only', 'reach,,', '--json'];
  const { code, stdout } = await doctorHere(args);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ name: 'reach', state: 'wrong' })]);
});

test('--help ends with 0, and gives examples', async () => {
  const { code, stdout, stderr } = await doctorHere(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm run doctor -- \[options\]/);
  expect(stdout).toContain('Examples:\n  npm run doctor -- --base-url https://');
});

test('at a terminal, the password is asked for and not shown', async () => {
  const terminal = atTerminal(doctorLine([...BASE, '--client', 'DOCTOR', '--only', 'reach']));
  await eventually(() => terminal.seen().includes('Password of DOCTOR'));
  terminal.type('top-secret-7\r');
  const { code, seen } = await terminal.exit;
  expect(seen).not.toContain('top-secret');
  expect(seen).toMatch(/WRONG +reach +nothing listens there/);
  expect(code).toBe(1);
});
