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
    .description('show the clients and when each last sent a batch; change passwords')
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
        say(
          'The deployment is older than this program and has no output SilenceHours. Deploy this version to see which clients are late.',
        );
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
    .description('give a client a new password; the current one stays valid for credentialOverlapHours')
    .argument('<name>', 'the client')
    .option('--reveal', 'show the new password (`clients show --reveal` does it later)')
    .option('--yes', 'do not ask, even if this ends a previous password that is still valid')
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
    .option('--yes', 'do not ask, even if this ends a previous password that is still valid')
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
    `The secret ${secret} is not a JSON object with a password, so ${name} cannot sign in. \`clients rotate ${name}\` repairs it.`,
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
    throw new Failure(`${client.name} already has this password. Nothing was changed.`);
  }
  await changePassword(await deployment.secrets(), client.secret, client, password);
  const changed = await readClient(deployment, client);
  const end = overlapEnd(changed.changedAt, deployment);
  const before =
    deployment.overlapHours > 0 ? `stays valid until ${end.toISOString()}` : 'is no longer valid';
  say(`The new password of ${client.name} works after at most 60 s. The previous password ${before}.`);
  if (client.password === undefined) {
    say(
      `The secret was damaged. It now has the user name of the settings, ${client.username}, with which ${client.name} signs in.`,
    );
  }
  await session.printRecord({ ...toRecord(session, changed), ...(reveal ? { Password: password } : {}) });
};

const confirmLossOfPrevious = async (session: Session, client: Client, yes?: boolean) => {
  const validUntil = previousValidUntil(session, client);
  if (validUntil) await requireConfirmation(`${lossOfPrevious(validUntil)} Set a new password anyway?`, yes);
};

const RECOMMENDED_LENGTH = 12;
const MIN_LENGTH = 8;
/** The password has to fit in a header. */
const MAX_LENGTH = 1_024;

const checkPassword = (password: string) => {
  if (password === '') throw new Failure('The password is empty. Nothing was changed.');
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH) {
    throw new Failure(
      `The password has ${counted(password.length, 'character')}; ${MIN_LENGTH} to ${grouped(MAX_LENGTH)} are accepted. Nothing was changed.`,
    );
  }
  if (password.length < RECOMMENDED_LENGTH)
    say(`The password has fewer than ${RECOMMENDED_LENGTH} characters. It may be easy to guess.`);
  return password;
};
