import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { readJson, writeAtomically } from '../data-folder.ts';

const EXPECTED_USER_NAME = 'A user name must be a string.';

/** With null, the password is removed. Without `password`, a changed user name keeps the password of the former user name. */
export const ChangedPassword = v.strictObject(
  {
    userName: v.string(EXPECTED_USER_NAME),
    formerUserName: v.exactOptional(v.string(EXPECTED_USER_NAME)),
    password: v.exactOptional(v.nullable(v.string('A password must be a string, or null.'))),
  },
  'The body must be an object with userName, formerUserName and password.',
);
export type ChangedPassword = v.InferOutput<typeof ChangedPassword>;

const SavedPasswords = v.array(v.strictObject({ userName: v.string(), password: v.string() }));

export type Passwords = ReturnType<typeof openPasswords>;

/** Keeps the passwords of the clients, because the table has only their hashes. Without a file, keeps them in memory. */
export const openPasswords = (file: string | undefined) => {
  const savedPasswords = file !== undefined && existsSync(file) ? readJson(file, SavedPasswords) : [];
  const passwords = new Map(savedPasswords.map(({ userName, password }) => [userName, password]));
  return {
    passwordOf: (userName: string) => passwords.get(userName),
    byUserName: () => Object.fromEntries(passwords),
    change: (changes: readonly ChangedPassword[]) => {
      for (const {
        userName,
        formerUserName = userName,
        password = passwords.get(formerUserName),
      } of changes) {
        passwords.delete(formerUserName);
        if (password) passwords.set(userName, password);
      }
      const entries = Array.from(passwords, ([userName, password]) => ({ userName, password }));
      if (file !== undefined) writeAtomically(file, JSON.stringify(entries));
    },
  };
};
