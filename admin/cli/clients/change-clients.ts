import { type Command, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { type ClientAttributes, USER_NAME, USER_NAME_RULE } from '../../../shared/clients/client.ts';
import { generatePassword } from '../../../shared/clients/password.ts';
import { MAX_SILENCE_HOURS } from '../../../shared/limits.ts';
import { type ClientChange, lock, remove, rotate, unlock } from '../../clients/client-changes.ts';
import { prepareAdditions, prepareNewValues } from '../../clients/prepare-changes.ts';
import { describeWritten, findClient, writeChange } from '../../clients/write-change.ts';
import type { Session } from '../../deployment/session.ts';
import { WrongUsage } from '../../text/failure.ts';
import { formatCount } from '../../text/words.ts';
import { examples, parseClient } from '../terminal/arguments.ts';
import { requireConfirmation } from '../terminal/ask.ts';
import { runInterruptible } from '../terminal/interruption.ts';
import { openCommand } from '../terminal/open-command.ts';
import { say } from '../terminal/terminal.ts';
import { readOwnPassword, writeAndShowPasswords } from './new-passwords.ts';

export const addEditCommands = (clients: Command) => {
  defineAdd(clients);
  defineRotate(clients);
  defineClientCommand(
    clients,
    'lock',
    'lock a client out; its password, batches and changes stay',
    'clients lock north',
  ).action((name, _, command) => editClient(command, name, lock));
  defineClientCommand(clients, 'unlock', 'give a locked client access again', 'clients unlock north').action(
    (name, _, command) => editClient(command, name, unlock),
  );
  defineSet(clients);
  defineClientCommand(
    clients,
    'remove',
    'remove a client; its batches and changes stay',
    'clients remove north',
  )
    .option('--yes', 'do not ask')
    .action((name, { yes }, command) => editClient(command, name, remove, yes));
};

const defineClientCommand = (
  clients: Command,
  name: string,
  description: string,
  ...commandLines: string[]
) =>
  clients
    .command(name)
    .description(description)
    .argument('<name>', 'the client', parseClient)
    .addHelpText('after', examples(...commandLines));

const parseHours = (text: string) => {
  if (/^\d{1,4}$/.test(text) && Number(text) <= MAX_SILENCE_HOURS) return Number(text);
  throw new InvalidArgumentError(`Give a whole number of hours from 0 to ${formatCount(MAX_SILENCE_HOURS)}.`);
};

const parseUserName = (text: string) => {
  if (USER_NAME.test(text)) return text;
  throw new InvalidArgumentError(USER_NAME_RULE);
};

const userNameOption = (defaultText = '') =>
  new Option('--user-name <name>', `the user name${defaultText}`).argParser(parseUserName);
const planOption = (defaultText = '') =>
  new Option('--plan <plan>', `the plan with the limits${defaultText}`);
const silenceOption = () =>
  new Option('--silence-hours <hours>', 'late after so many hours without a batch; 0: never late').argParser(
    parseHours,
  );
const SHARE = ['--share', 'share a slot, and so its limits, if the plan has no free slot'] as const;
const PASSWORD = [
  '--password-stdin',
  'read a password that you chose; by default, a password is generated',
] as const;

const defineAdd = (clients: Command) => {
  clients
    .command('add')
    .description('add clients, or add removed clients again, and show their passwords once')
    .argument('<names...>', 'the clients', (text, names: string[] = []) => [...names, parseClient(text)])
    .addOption(userNameOption('; by default, the name of the client'))
    .addOption(planOption('; by default, the first plan'))
    .addOption(silenceOption().default(24))
    .option(...SHARE)
    .option(...PASSWORD)
    .addHelpText('after', examples('clients add north', 'clients add east west --plan slow --json'))
    .action(async (given, { passwordStdin, ...options }, command) => {
      const names = [...new Set(given)];
      if (names.length > 1 && (passwordStdin || options.userName !== undefined)) {
        throw new WrongUsage('--user-name and --password-stdin go with one client only.');
      }
      const session = await openCommand(command);
      const password = passwordStdin ? await readOwnPassword() : undefined;
      const additions = await prepareAdditions(session, { ...options, names, password });
      await writeAndShowPasswords(session, additions, password !== undefined);
    });
};

const defineRotate = (clients: Command) => {
  const description =
    'give a client a new password, and show it once; the current password becomes the previous one, and stays valid for a while';
  defineClientCommand(clients, 'rotate', description, 'clients rotate north', 'clients rotate north --again')
    .addOption(
      new Option(
        '--overlap-hours <hours>',
        'how many hours the current password stays valid, as the previous one; not with --again',
      )
        .argParser(parseHours)
        .default(24),
    )
    .addOption(
      new Option(
        '--again',
        'for a lost current password: end it immediately; the previous password stays valid',
      ).conflicts('overlapHours'),
    )
    .option(...PASSWORD)
    .option('--yes', 'do not ask, even if this ends a password that is still valid')
    .action(async (name, { overlapHours, again, passwordStdin, yes }, command) => {
      const session = await openCommand(command);
      const password = passwordStdin ? await readOwnPassword() : generatePassword();
      const before = await findClient(session, name);
      const rotation = { password, overlapHours, isAgain: again ?? false };
      const { question, ...change } = rotate(before.client, rotation, session.now);
      if (question) await requireConfirmation(question, yes);
      await writeAndShowPasswords(session, [{ ...change, before }], passwordStdin ?? false);
    });
};

const defineSet = (clients: Command) => {
  const description = 'change the plan, the hours of silence or the user name of a client';
  const commandLines = ['clients set north --plan slow', 'clients set north --silence-hours 72'];
  defineClientCommand(clients, 'set', description, ...commandLines)
    .addOption(userNameOption())
    .addOption(planOption())
    .addOption(silenceOption())
    .option(...SHARE)
    .action((name, values, command) =>
      editClient(command, name, (client, _, session) => prepareNewValues(session, client, values)),
    );
};

const editClient = async (
  command: Parameters<typeof openCommand>[0],
  name: string,
  prepare: (client: ClientAttributes, now: Date, session: Session) => ClientChange | Promise<ClientChange>,
  yes?: boolean,
) => {
  const session = await openCommand(command);
  const before = await findClient(session, name);
  const { question, ...change } = await prepare(before.client, session.now, session);
  if (question) await requireConfirmation(question, yes);
  const message = await runInterruptible(async () =>
    describeWritten(session, await writeChange(session, change, before)),
  );
  say(message);
};
