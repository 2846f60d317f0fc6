import type { ClientAttributes } from '../../../shared/clients/client.ts';
import { nextItem, type StoredClient, toStoredClient } from '../../../shared/clients/write-client.ts';
import type { ClientChange } from '../../clients/client-changes.ts';
import { describeWritten, writeChange } from '../../clients/write-change.ts';
import type { Session } from '../../deployment/session.ts';
import { Failure, messageOf } from '../../text/failure.ts';
import { message } from '../../text/message.ts';
import type { Column } from '../../text/output.ts';
import { countOf, formatNumber, joinNames } from '../../text/words.ts';
import { readPassword } from '../terminal/ask.ts';
import type { Output } from '../terminal/output.ts';
import { say } from '../terminal/terminal.ts';

type PasswordChange = ClientChange & { before: StoredClient | undefined };
type ShownClient = ClientAttributes & { password: string | undefined };

/**
 * Writes each client, and shows its password before it writes the next one. So a killed command has lost one password at
 * most. The first write waits until the file of `--out` is open.
 */
export const writeAndShowPasswords = async (
  signal: AbortSignal,
  session: Session,
  { printEachRow }: Output,
  changes: readonly PasswordChange[],
  isOwn: boolean,
) => {
  const written: string[] = [];
  let failure: unknown;
  async function* write(): AsyncGenerator<ShownClient> {
    for (const { before, ...change } of changes) {
      if (signal.aborted) return;
      try {
        const result = await writeChange(session, change, before);
        written.push(change.attributes.Client);
        yield { ...result.written.client, password: change.password };
        say(await describeWritten(session, result));
      } catch (error) {
        if (written.length === 0) throw error;
        failure = error;
        return;
      }
    }
  }
  const describeLost = () => `${LOST} Written: ${joinNames(written)}.`;
  // An error of standard output ends the process.
  const sayLost = () => say(describeLost());
  process.stdout.prependListener('error', sayLost);
  try {
    const planned = changes.map(({ attributes, before, password }) => {
      const { client } = toStoredClient(attributes.Client, nextItem(attributes, before));
      return { ...client, password };
    });
    await printEachRow(passwordColumns(session, isOwn), write(), planned);
  } catch (error) {
    if (written.length === 0) throw error;
    throw new Failure(message`${messageOf(error)} ${describeLost()}`);
  } finally {
    process.stdout.off('error', sayLost);
  }
  if (written.length === changes.length) return;
  const [failed = '', ...others] = changes.slice(written.length).map(({ attributes }) => attributes.Client);
  const reason = failure ? message`${failed}: ${messageOf(failure)}` : 'Ended early.';
  // The reason already says whether `failed` was written.
  const left = failure ? others : [failed, ...others];
  throw new Failure(left.length === 0 ? reason : message`${reason} Not written: ${joinNames(left)}.`);
};

const LOST = 'A new password that is not shown is lost. `clients rotate NAME --again` replaces it.';

const passwordColumns = ({ deployment }: Session, isOwn: boolean): Column<ShownClient>[] => [
  { name: 'Client', value: ({ Client }) => Client },
  { name: 'UserName', title: 'User name', value: ({ UserName }) => UserName },
  ...(isOwn ? [] : [{ name: 'Password', value: ({ password }: ShownClient) => password }]),
  { name: 'BaseUrl', title: 'Base URL', value: () => deployment.baseUrl },
  { name: 'Plan', value: ({ Plan }) => Plan },
  { name: 'Slot', value: ({ Slot }) => Slot, align: 'right' },
  {
    name: 'PreviousUntil',
    title: 'Previous password until',
    value: ({ PreviousUntil }) => (PreviousUntil ? new Date(PreviousUntil) : null),
  },
];

const RECOMMENDED_LENGTH = 16;
const MIN_LENGTH = 8;
/** The password has to fit in a header of a request. */
const MAX_LENGTH = 1_024;

export const readOwnPassword = async () => {
  const refuse = (reason: string) => new Failure(`${reason} Nothing was changed.`);
  const questions = ['New password', 'Once more'];
  const password = await readPassword({ questions, cancelled: 'Nothing was changed.', refuse });
  if (password === '') throw refuse('The password is empty.');
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH) {
    throw refuse(
      `The password has ${countOf(password.length, 'character')}; ${MIN_LENGTH} to ${formatNumber(MAX_LENGTH)} are accepted.`,
    );
  }
  if (password.length < RECOMMENDED_LENGTH)
    say(`The password has fewer than ${RECOMMENDED_LENGTH} characters. It may be easy to guess.`);
  return password;
};
