import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  generatePassword,
  hasGeneratedShape,
  hashPassword,
  isPasswordOf,
} from '../../../shared/clients/password.ts';

describe('a generated password', () => {
  const passwords = Array.from({ length: 2_000 }, generatePassword);

  it('has 32 characters of all 62 letters and digits, which are 190 bits', () => {
    for (const password of passwords) expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(passwords.join('')).size).toBe(62);
    expect(Math.floor(32 * Math.log2(62))).toBe(190);
  });

  it('differs each time, and has each character as often as the others', () => {
    expect(new Set(passwords).size).toBe(passwords.length);
    const counts = Map.groupBy(passwords.join(''), (character) => character);
    // 64,000 characters are about 1,032 of each.
    for (const { length } of counts.values()) expect(Math.abs(length - 1_032)).toBeLessThan(250);
  });

  it.each([
    [true, 'A'.repeat(32)],
    [false, 'A'.repeat(31)],
    [false, 'A'.repeat(33)],
    [false, `${'A'.repeat(31)}-`],
    [false, `${'A'.repeat(32)}\n`],
    [false, ''],
  ])('differs from an own one by its shape: %s for %j', (expected, password) => {
    expect(hasGeneratedShape(password)).toBe(expected);
  });
});

describe('the hash of a password', () => {
  it('is SHA-256 over salt and password, with another salt of 18 bytes each time', () => {
    const hashes = [1, 2].map(() => hashPassword('Пароль'));
    for (const { Salt, Hash } of hashes) {
      expect(Buffer.from(Salt, 'base64')).toHaveLength(18);
      expect(Hash).toBe(createHash('sha256').update(`${Salt}Пароль`).digest('base64'));
    }
    expect(hashes[0]?.Salt).not.toBe(hashes[1]?.Salt);
    expect(hashes[0]?.Hash).not.toBe(hashes[1]?.Hash);
  });

  it('fits only this password and this salt', () => {
    const hash = hashPassword('password');
    expect(isPasswordOf('password', hash)).toBe(true);
    for (const other of ['Password', 'password ', '', 'passwor'])
      expect(isPasswordOf(other, hash)).toBe(false);
    expect(isPasswordOf('password', { ...hash, Salt: hashPassword('').Salt })).toBe(false);
  });
});
