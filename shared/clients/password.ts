import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** Has 190 random bits, and no punctuation, because old programs fail on punctuation. */
export const generatePassword = () =>
  Array.from({ length: LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');

export const hasGeneratedShape = (password: string) => /^[A-Za-z0-9]{32}$/.test(password);

type PasswordHash = { Salt: string; Hash: string };

/** One round of SHA-256 is enough for 190 random bits (NIST SP 800-63B, 5.1.2.2). With more rounds, a flood of guesses would cost us much processor time. */
const digest = (password: string, salt: string) =>
  createHash('sha256').update(salt).update(password).digest();

export const hashPassword = (password: string): PasswordHash => {
  const Salt = randomBytes(18).toString('base64');
  return { Salt, Hash: digest(password, Salt).toString('base64') };
};

/** Takes the same time for all passwords of the same length. */
export const isPasswordOf = (password: string, { Salt, Hash }: PasswordHash) =>
  timingSafeEqual(digest(password, Salt), Buffer.from(Hash, 'base64'));
