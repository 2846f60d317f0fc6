import { chmodSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeStrangers, isLinkOfStranger } from '../../shared/strangers.ts';
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

test('a link is of a stranger unless this user or root has made it', () => {
  const link = linkTo('nowhere');
  expect([me, me + 1].map((user) => isLinkOfStranger(link, user))).toEqual([false, me !== 0]);
  expect(isLinkOfStranger('/dev/stdout', me + 1)).toBe(false);
  expect(isLinkOfStranger(temporaryFolder(), me + 1)).toBe(false);
  expect(isLinkOfStranger(join(temporaryFolder(), 'absent'))).toBe(false);
});
