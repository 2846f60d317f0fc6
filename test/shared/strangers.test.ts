import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeStrangers, describeTrap } from '../../shared/strangers.ts';
import { temporaryFolder } from '../support/assembly.ts';

const me = process.geteuid?.() ?? 0;

const linkTo = (target: string) => {
  const link = join(temporaryFolder(), 'link');
  symlinkSync(target, link);
  return link;
};

test.each([
  [0o700, undefined],
  [0o755, undefined],
  [0o720, 'can be changed by other users'],
  [0o702, 'can be changed by other users'],
])('a folder with the mode %o is described as %s', (mode, strangers) => {
  const folder = temporaryFolder();
  chmodSync(folder, mode);
  expect(describeStrangers(folder)).toBe(strangers);
});

test('a folder of another user is not private, whatever its mode', () => {
  const folder = join(temporaryFolder(), 'folder');
  mkdirSync(folder, 0o700);
  expect(describeStrangers(folder, me + 1)).toBe('belongs to another user');
});

test('a link to a private folder is as private as its owner', () => {
  const link = linkTo(temporaryFolder());
  expect(describeStrangers(link)).toBeUndefined();
  // Only root can give the link to another user.
  if (me === 0) lchownSync(link, 1, 1);
  expect(describeStrangers(link)).toBe(me === 0 ? 'belongs to another user' : undefined);
});

test('a link or a pipe is a trap unless this user or root has put it there', () => {
  const pipe = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [path, kind] of [
    [linkTo('nowhere'), 'link'],
    [pipe, 'pipe'],
  ] as const) {
    // Only root can give it to another user.
    if (me === 0) lchownSync(path, 1, 1);
    expect(describeTrap(path, me === 0 ? 1 : me)).toBeUndefined();
    expect(describeTrap(path, me === 0 ? me : me + 1)).toBe(`is a ${kind} of another user`);
  }
  expect(describeTrap('/dev/stdout', me + 1)).toBeUndefined();
  expect(describeTrap(temporaryFolder(), me + 1)).toBeUndefined();
  expect(describeTrap(join(temporaryFolder(), 'absent'))).toBeUndefined();
});
