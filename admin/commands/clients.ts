import type { Command } from '@commander-js/extra-typings';
import { examples } from '../cli/arguments.ts';
import { readPassword, requireConfirmation } from '../cli/ask.ts';
import { Failure } from '../cli/failure.ts';
import type { Column } from '../cli/output.ts';
import { say } from '../cli/terminal.ts';
import { formatAge, HOUR_MS } from '../cli/time.ts';
import { counted, grouped } from '../cli/words.ts';
import { type ClientActivity, readActivity } from '../deployment/client-activity.ts';
import { type Credentials, changePassword, newPassword, readCredentials } from '../deployment/credentials.ts';
import type { DeployedClient } from '../deployment/deployment.ts';
import { openSession, type Session } from '../deployment/session.ts';
import { ageColumn } from '../snapshots/columns.ts';

type Client = DeployedClient & Credentials;
type ActiveClient = Client & ClientActivity;

export const addClients = (program: Command) => {
  const clients = program
    .command('clients')
    .description('who may sign in, with which password, and who is late')
    .addHelpText('after', examples('clients list', 'clients rotate warehouse'));
  addList(clients);
  addShow(clients);
  addRotate(clients);
  addSetPassword(clients);
};

const addList = (clients: Command) => {
  clients
    .command('list')
    .description(
      'list the clients of the deployment with their last batch, and whether it is late; without passwords',
    )
    .addHelpText('after', examples('clients list'))
    .action(async (_, command) => {
      const session = await openSession(command);
      const { deployment } = session;
      const all = await Promise.all(
        deployment.clients.map(async (client) => {
          const [withCredentials, activity] = await Promise.all([
            readClient(session, client),
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
  { name: 'LastChangeAt', value: ({ lastChange }) => lastChange?.receivedAt ?? null },
];

const addShow = (clients: Command) => {
  clients
    .command('show')
    .description("show a client's user name and the age of its password")
    .argument('<name>', 'the client')
    .option('--reveal', 'show the password, too')
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
    .option('--yes', 'do not ask, even if the password before the current one is still valid')
    .addHelpText('after', examples('clients rotate warehouse', 'clients rotate warehouse --reveal --json'))
    .action(async (name, { reveal, yes }, command) => {
      const { session, client } = await openClient(command, name);
      await changeClient(session, client, newPassword, { reveal, yes });
    });
};

const addSetPassword = (clients: Command) => {
  clients
    .command('set-password')
    .description('give a client a password of your choice: asked for without echo, or from standard input')
    .argument('<name>', 'the client')
    .option('--yes', 'do not ask, even if the password before the current one is still valid')
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
  const { clients, what } = session.deployment;
  const found = clients.find((client) => client.name === name);
  if (found) return { session, client: await readClient(session, found) };
  const names = clients.map((client) => client.name).join(', ');
  throw new Failure(`${what} has no client ${name}. It has: ${names}.`);
};

const readClient = async ({ deployment }: Session, client: DeployedClient): Promise<Client> => ({
  ...client,
  ...(await readCredentials(await deployment.secrets(), client)),
});

const toRecord = ({ deployment, now }: Session, client: Client) => {
  const { name, username, changedAt, hasPrevious, secret } = client;
  const validUntil = overlapEnd(changedAt, deployment.overlapHours);
  return {
    Client: name,
    UserName: username,
    PasswordChangedAt: changedAt,
    PasswordAge: formatAge(changedAt, now),
    ...(hasPrevious && validUntil > now ? { PreviousValidUntil: validUntil } : {}),
    Secret: secret,
  };
};

const overlapEnd = (changedAt: Date, hours: number) => new Date(changedAt.getTime() + hours * HOUR_MS);

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
  const { secrets, overlapHours } = session.deployment;
  await confirmLossOfPrevious(session, client, yes);
  const password = await choose();
  if (password === client.password) {
    throw new Failure(`That is the password of ${client.name} already. Nothing was changed.`);
  }
  await changePassword(await secrets(), client.secret, client, password);
  const changed = await readClient(session, client);
  const end = overlapEnd(changed.changedAt, overlapHours);
  const before = overlapHours > 0 ? `stays valid until ${end.toISOString()}` : 'is no longer valid';
  say(`The new password of ${client.name} works within 60 s. The previous password ${before}.`);
  if (client.password === undefined) {
    say(
      `The secret was damaged, so the user name in it is now ${client.username}. ${client.name} signs in with the user name of the settings.`,
    );
  }
  await session.printRecord({ ...toRecord(session, changed), ...(reveal ? { Password: password } : {}) });
};

/** Only the previous password stays valid, so a second change within the overlap can lock a client out. */
const confirmLossOfPrevious = async ({ deployment, now }: Session, client: Client, yes?: boolean) => {
  const validUntil = overlapEnd(client.changedAt, deployment.overlapHours);
  if (!client.hasPrevious || validUntil <= now) return;
  const question = `The password before the current one is valid until ${validUntil.toISOString()}; a change ends it at once. Change it all the same?`;
  await requireConfirmation(question, yes);
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
