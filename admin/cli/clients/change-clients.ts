import * as v from 'valibot';
import {
  type ClientAttributes,
  ClientName,
  LANGUAGES,
  USER_NAME,
  USER_NAME_RULE,
} from '../../../shared/clients/client.ts';
import { generatePassword } from '../../../shared/clients/password.ts';
import { MAX_SILENCE_HOURS } from '../../../shared/limits.ts';
import { type ClientChange, lock, remove, rotate, unlock } from '../../clients/client-changes.ts';
import { prepareAdditions, prepareNewValues } from '../../clients/prepare-changes.ts';
import { describeWritten, findClient, writeChange } from '../../clients/write-change.ts';
import type { Where } from '../../deployment/deployment.ts';
import { openSession, type Session } from '../../deployment/session.ts';
import { WrongUsage } from '../../text/failure.ts';
import { formatNumber } from '../../text/words.ts';
import { requireConfirmation } from '../terminal/ask.ts';
import { defineCommand, type Group } from '../terminal/define-command.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { describeChoices, flag, input, option, text } from '../terminal/options.ts';
import { readOwnPassword, writeAndShowPasswords } from './new-passwords.ts';

const NAME = input('<name>', 'the client', ClientName);
const YES = flag('--yes', 'do not ask');

export const addEditCommands = (clients: Group) => {
  defineAdd(clients);
  defineRotate(clients);
  defineEdit(clients, 'lock', 'lock a client out; its password, batches and changes stay', lock);
  defineEdit(clients, 'unlock', 'give a locked client access again', unlock);
  defineSet(clients);
  defineCommand(clients, {
    name: 'remove',
    description: 'remove a client; its batches and changes stay',
    options: { name: NAME, yes: YES },
    examples: ['clients remove north'],
    run: ({ name, yes, ...where }) => editClient(where, name, remove, yes),
  });
};

const defineEdit = (clients: Group, verb: string, description: string, prepare: typeof lock) =>
  defineCommand(clients, {
    ...{ name: verb, description, options: { name: NAME }, examples: [`clients ${verb} north`] },
    run: ({ name, ...where }) => editClient(where, name, prepare),
  });

const HOURS_RULE = `Give a whole number of hours from 0 to ${formatNumber(MAX_SILENCE_HOURS)}.`;
const Hours = v.pipe(
  v.string(),
  v.regex(/^\d{1,4}$/, HOURS_RULE),
  v.transform(Number),
  v.maxValue(MAX_SILENCE_HOURS, HOURS_RULE),
);
const UserName = v.pipe(v.string(), v.regex(USER_NAME, USER_NAME_RULE));

const userName = (defaultText = '') => option('--user-name <name>', `the user name${defaultText}`, UserName);
const plan = (defaultText = '') => text('--plan <plan>', `the plan with the limits${defaultText}`);
const LATE_AFTER = 'late after so many hours without a batch; 0: never late';
const share = flag('--share', 'share a slot, and so its limits, if the plan has no free slot');
/** `ending` says what an empty text does. */
const details = (ending = '') => ({
  contact: text('--contact <text>', `how to reach its people, in up to 500 characters${ending}`),
  displayName: text('--display-name <name>', `its name for people, such as "München-Süd"${ending}`),
  language: text(
    '--language <language>',
    `the language of messages to it${describeChoices(LANGUAGES)}${ending}`,
  ),
});
const passwordStdin = flag(
  '--password-stdin',
  'read a password that you chose; by default, a password is generated',
);

const defineAdd = (clients: Group) =>
  defineCommand(clients, {
    name: 'add',
    description: 'add clients, or add removed clients again, and show their passwords once',
    options: {
      names: input('<names...>', 'the clients', v.array(ClientName)),
      userName: userName('; by default, the name of the client'),
      plan: plan('; by default, the first plan'),
      silenceHours: input('--silence-hours <hours>', `${LATE_AFTER} (default: 24)`, v.optional(Hours, '24')),
      share,
      ...details(),
      passwordStdin,
    },
    examples: ['clients add north', 'clients add east west --plan slow --json'],
    run: async ({ names: given, passwordStdin, ...options }, output) => {
      const names = [...new Set(given)];
      const { userName, contact, displayName } = options;
      const ofOne = passwordStdin ?? userName ?? contact ?? displayName;
      if (names.length > 1 && ofOne !== undefined) {
        throw new WrongUsage(
          '--user-name, --contact, --display-name and --password-stdin go with one client only.',
        );
      }
      const session = await openSession(options);
      const password = passwordStdin ? await readOwnPassword() : undefined;
      const additions = await prepareAdditions(session, { ...options, names, password });
      await runInterruptible((signal) =>
        writeAndShowPasswords(signal, session, output, additions, password !== undefined),
      );
    },
  });

const defineRotate = (clients: Group) =>
  defineCommand(clients, {
    name: 'rotate',
    description:
      'give a client a new password, and show it once; the current password becomes the previous one, and stays valid for a while',
    options: {
      name: NAME,
      overlapHours: input(
        '--overlap-hours <hours>',
        'how many hours the current password stays valid, as the previous one; not with --again (default: 24)',
        v.optional(Hours, '24'),
      ),
      again: flag(
        '--again',
        'for a lost current password: end it immediately; the previous password stays valid',
        ['overlapHours'],
      ),
      passwordStdin,
      yes: flag('--yes', 'do not ask, even if this ends a password that is still valid'),
    },
    examples: ['clients rotate north', 'clients rotate north --again'],
    run: async ({ name, overlapHours, again, passwordStdin, yes, ...where }, output) => {
      const session = await openSession(where);
      const password = passwordStdin ? await readOwnPassword() : generatePassword();
      const before = await findClient(session, name);
      const rotation = { password, overlapHours, isAgain: again ?? false };
      const { question, ...change } = rotate(before.client, rotation, session.now);
      if (question) await requireConfirmation(question, yes);
      await runInterruptible((signal) =>
        writeAndShowPasswords(signal, session, output, [{ ...change, before }], passwordStdin ?? false),
      );
    },
  });

const defineSet = (clients: Group) =>
  defineCommand(clients, {
    name: 'set',
    description: 'change the plan, the hours of silence, the user name or the contact of a client',
    options: {
      name: NAME,
      userName: userName(),
      plan: plan(),
      silenceHours: option('--silence-hours <hours>', LATE_AFTER, Hours),
      share,
      ...details('; an empty text removes it'),
    },
    examples: [
      'clients set north --plan slow',
      'clients set north --language de --contact lager@example.com',
    ],
    run: ({ name, ...options }) =>
      editClient(options, name, (client, _, session) => prepareNewValues(session, client, options)),
  });

async function* editClient(
  where: Where,
  name: string,
  prepare: (client: ClientAttributes, now: Date, session: Session) => ClientChange | Promise<ClientChange>,
  yes?: boolean,
) {
  const session = await openSession(where);
  const before = await findClient(session, name);
  const { question, ...change } = await prepare(before.client, session.now, session);
  if (question) await requireConfirmation(question, yes);
  yield await runInterruptible(async () =>
    describeWritten(session, await writeChange(session, change, before)),
  );
}
