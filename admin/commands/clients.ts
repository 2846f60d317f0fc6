import type { Command } from '@commander-js/extra-typings';
import { examples } from '../cli/arguments.ts';
import { readPassword, requireConfirmation } from '../cli/ask.ts';
import { Failure } from '../cli/failure.ts';
import type { Column } from '../cli/output.ts';
import { say } from '../cli/terminal.ts';
import { formatAge } from '../cli/time.ts';
import { counted, grouped } from '../cli/words.ts';
import { type ClientActivity, readActivity } from '../deployment/client-activity.ts';
import {
  type Client,
  changePassword,
  findClient,
  lossOfPrevious,
  newPassword,
  overlapEnd,
  previousValidUntil,
  readClient,
} from '../deployment/credentials.ts';
import { openSession, type Session } from '../deployment/session.ts';
import { ageColumn } from '../snapshots/columns.ts';

type ActiveClient = Client & ClientActivity;

export const addClients = (program: Command) => {
  const clients = program
    .command('clients')
    .description('show who may sign in and who is late; change passwords')
    .addHelpText('after', examples('clients list', 'clients rotate warehouse'));
  addList(clients);
  addShow(clients);
  addRotate(clients);
  addSetPassword(clients);
};

const addList = (clients: Command) => {
  clients
    .command('list')
    .description('list the clients with the time of their last batch and the age of their password')
    .addHelpText('after', examples('clients list'))
    .action(async (_, command) => {
      const session = await openSession(command);
      const { deployment } = session;
      const all = await Promise.all(
        deployment.clients.map(async (client) => {
          const [withCredentials, activity] = await Promise.all([
            readClient(deployment, client),
            readActivity(session, client),
          ]);
          return { ...withCredentials, ...activity };
        }),
      );
      await session.printRows(listColumns(session), all);
      for (const client of all) warnOfDamage(client);
      if (all.some(({ silenceHours }) => silenceHours === undefined)) {
        say('Deploy this version to see who is late: the outputs of the deployment lack SilenceHours.');
      }
    });
};

const listColumns = (session: Session): Column<ActiveClient>[] => [
  { name: 'Client', value: ({ name }) => name },
  { name: 'UserName', title: 'User name', value: ({ username }) => username },
  { name: 'LastBatchAt', title: 'Last batch', value: ({ lastBatch }) => lastBatch?.receivedAt ?? null },
  ...ageColumn(session, ({ lastBatch }: ActiveClient) => lastBatch?.receivedAt, 'Batch age'),
  { name: 'Late', value: ({ isLate }) => (isLate === undefined ? 'unknown' : isLate ? 'yes' : 'no') },
  ...(session.format.kind === 'table' ? [] : columnsForPrograms),
  { name: 'PasswordChangedAt', title: 'Password since', value: ({ changedAt }) => changedAt },
  ...ageColumn(session, ({ changedAt }: ActiveClient) => changedAt, 'Password age'),
  { name: 'Secret', value: ({ secret }) => secret },
];

const columnsForPrograms: Column<ActiveClient>[] = [
  { name: 'SilenceHours', value: ({ silenceHours }) => silenceHours ?? null },
  {
    name: 'LastChangeAt',
    value: ({ lastChange }) => (lastChange?.receivedAt ? new Date(lastChange.receivedAt) : null),
  },
];

const addShow = (clients: Command) => {
  clients
    .command('show')
    .description("show a client's user name and the age of its password")
    .argument('<name>', 'the client')
    .option('--reveal', 'also show the password')
    .addHelpText('after', examples('clients show warehouse', 'clients show warehouse --reveal --json'))
    .action(async (name, { reveal }, command) => {
      const { session, client } = await openClient(command, name);
      await session.printRecord({
        ...toRecord(session, client),
        ...(reveal && client.password !== undefined ? { Password: client.password } : {}),
      });
      warnOfDamage(client);
    });
};

const addRotate = (clients: Command) => {
  clients
    .command('rotate')
    .description('give a client a new password; the current one stays valid for the overlap')
    .argument('<name>', 'the client')
    .option('--reveal', 'show the new password (`clients show --reveal` does it later)')
    .option('--yes', 'do not ask, even if the previous password is still valid')
    .addHelpText('after', examples('clients rotate warehouse', 'clients rotate warehouse --reveal --json'))
    .action(async (name, { reveal, yes }, command) => {
      const { session, client } = await openClient(command, name);
      await changeClient(session, client, newPassword, { reveal, yes });
    });
};

const addSetPassword = (clients: Command) => {
  clients
    .command('set-password')
    .description('give a client a password of your choice, typed without echo or read from standard input')
    .argument('<name>', 'the client')
    .option('--yes', 'do not ask, even if the previous password is still valid')
    .addHelpText(
      'after',
      examples('clients set-password warehouse', 'clients set-password warehouse < password.txt'),
    )
    .action(async (name, { yes }, command) => {
      const { session, client } = await openClient(command, name);
      await changeClient(session, client, async () => checkPassword(await readPassword(passwordRequest)), {
        yes,
      });
    });
};

const passwordRequest = {
  questions: ['New password', 'Once more'],
  cancelled: 'Nothing was changed.',
  refuse: (reason: string) => new Failure(`${reason} Nothing was changed.`),
};

const openClient = async (command: Parameters<typeof openSession>[0], name: string) => {
  const session = await openSession(command);
  const { deployment } = session;
  return { session, client: await readClient(deployment, findClient(deployment, name)) };
};

const toRecord = (session: Session, client: Client) => {
  const { name, username, changedAt, secret } = client;
  const validUntil = previousValidUntil(session, client);
  return {
    Client: name,
    UserName: username,
    PasswordChangedAt: changedAt,
    PasswordAge: formatAge(changedAt, session.now),
    ...(validUntil ? { PreviousValidUntil: validUntil } : {}),
    Secret: secret,
  };
};

const warnOfDamage = ({ name, password, secret }: Client) => {
  if (password !== undefined) return;
  say(
    `The secret ${secret} holds no JSON object with a password, so that ${name} cannot sign in; \`clients rotate ${name}\` repairs it.`,
  );
};

const changeClient = async (
  session: Session,
  client: Client,
  choose: () => string | Promise<string>,
  { reveal, yes }: { reveal?: boolean | undefined; yes?: boolean | undefined },
) => {
  const { deployment } = session;
  await confirmLossOfPrevious(session, client, yes);
  const password = await choose();
  if (password === client.password) {
    throw new Failure(`That is the password of ${client.name} already. Nothing was changed.`);
  }
  await changePassword(await deployment.secrets(), client.secret, client, password);
  const changed = await readClient(deployment, client);
  const end = overlapEnd(changed.changedAt, deployment);
  const before =
    deployment.overlapHours > 0 ? `stays valid until ${end.toISOString()}` : 'is no longer valid';
  say(`The new password of ${client.name} works within 60 s. The previous password ${before}.`);
  if (client.password === undefined) {
    say(
      `The secret was damaged, so the user name in it is now ${client.username}. ${client.name} signs in with the user name of the settings.`,
    );
  }
  await session.printRecord({ ...toRecord(session, changed), ...(reveal ? { Password: password } : {}) });
};

const confirmLossOfPrevious = async (session: Session, client: Client, yes?: boolean) => {
  const validUntil = previousValidUntil(session, client);
  if (validUntil) await requireConfirmation(`${lossOfPrevious(validUntil)} Change it all the same?`, yes);
};

const SHORT = 12;
const TOO_SHORT = 8;
/** A header has to carry the password. */
const TOO_LONG = 1_024;

/** Accepts what a client can send: any UTF-8 without control characters (RFC 7617). */
const checkPassword = (password: string) => {
  if (password === '') throw new Failure('The password is empty. Nothing was changed.');
  if (password.length < TOO_SHORT || password.length > TOO_LONG) {
    throw new Failure(
      `The password has ${counted(password.length, 'character')}; ${TOO_SHORT} to ${grouped(TOO_LONG)} are accepted. Nothing was changed.`,
    );
  }
  if (password.length < SHORT)
    say(`The password has fewer than ${SHORT} characters, which is easily guessed.`);
  return password;
};
