import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { isPasswordOf } from '../../shared/clients/password.ts';
import type { StoredClient } from '../../shared/clients/write-client.ts';
import { createTurns } from '../../shared/turns.ts';
import { readJson, writeAtomically } from '../data-folder.ts';

/** A client that was changed, and its new password, if the change made one. */
export const ChangedPassword = v.strictObject(
  {
    client: v.string('A client must be a string.'),
    password: v.exactOptional(v.string('A password must be a string.')),
  },
  'The body must be an object with client and password.',
);
export type ChangedPassword = v.InferOutput<typeof ChangedPassword>;

type Login = { userName: string; password: string };

/** A file of an earlier start may have no `client`. Then the user name was also the name of the client. */
const SavedLogins = v.array(
  v.strictObject({ client: v.exactOptional(v.string()), userName: v.string(), password: v.string() }),
);

export type Passwords = ReturnType<typeof openPasswords>;

/** Keeps the passwords of the clients, because the table has only their hashes. Without a file, keeps them in memory. */
export const openPasswords = (file: string | undefined) => {
  const savedLogins = file !== undefined && existsSync(file) ? readJson(file, SavedLogins) : [];
  const logins = new Map(
    savedLogins.map(({ client, ...login }): [string, Login] => [client ?? login.userName, login]),
  );
  const takeTurn = createTurns();
  const save = () => {
    const entries = Array.from(logins, ([client, login]) => ({ client, ...login }));
    if (file !== undefined) writeAtomically(file, JSON.stringify(entries));
  };
  return {
    passwordOf: (client: string) => logins.get(client)?.password,
    byUserName: () =>
      Object.fromEntries(Array.from(logins.values(), ({ userName, password }) => [userName, password])),
    keep: (added: readonly (Login & { name: string })[]) => {
      for (const { name, userName, password } of added) logins.set(name, { userName, password });
      save();
    },
    /**
     * Keeps the password whose hash the table has. The messages about two changes may arrive in any order, and the
     * message about a change may be lost.
     */
    follow: (
      { client, password }: ChangedPassword,
      read: (name: string) => Promise<StoredClient | undefined>,
    ) =>
      takeTurn(async () => {
        const { UserName: userName = '', Salt = '', Hash = '' } = (await read(client))?.client ?? {};
        const known = [password, logins.get(client)?.password].find(
          (candidate) => candidate !== undefined && Hash !== '' && isPasswordOf(candidate, { Salt, Hash }),
        );
        if (known === undefined) logins.delete(client);
        else logins.set(client, { userName, password: known });
        save();
      }),
  };
};
