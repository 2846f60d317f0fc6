import { Failure, Interrupted, WrongUsage } from '../../text/failure.ts';
import type { Message } from '../../text/message.ts';
import { CTRL_C } from './interruption.ts';
import { inWordsOfCommands } from './terminal.ts';

/** Standard output carries data only. */
const onStandardError = { output: process.stderr };

/** Asks before a change. Without a terminal, `--yes` has to be on the command line. */
export const requireConfirmation = async (asked: Message, isConfirmed: boolean | undefined) => {
  if (isConfirmed) return;
  const question = inWordsOfCommands(asked);
  if (!process.stdin.isTTY)
    throw new WrongUsage(
      `${question}\nWithout a terminal, nobody can answer: add --yes. Nothing was changed.`,
    );
  const { default: confirm } = await import('@inquirer/confirm');
  const answer = confirm({ message: question, default: false }, onStandardError);
  if (!(await failIfCancelled(answer, NOTHING_CHANGED))) throw new Failure(NOTHING_CHANGED);
};

const NOTHING_CHANGED = 'Nothing was changed.';

type PasswordRequest = {
  /** An environment variable that is read first. */
  variable?: string;
  /** The questions at a terminal. All answers have to be equal. */
  questions: readonly string[];
  /** Ignores all lines of standard input after the first. */
  readsFirstLineOnly?: boolean;
  /** The message after Ctrl-C at a question. */
  cancelled: string;
  refuse: (reason: string) => Error;
};

/** Never reads a password from the command line, because other users can see the line, and the shell keeps it. */
export const readPassword = async (request: PasswordRequest): Promise<string> => {
  const fromEnvironment = request.variable && process.env[request.variable];
  if (fromEnvironment) return checkCharacters(fromEnvironment, request);
  const password = process.stdin.isTTY ? await askWithoutEcho(request) : await readInput(request);
  return checkCharacters(password, request);
};

const checkCharacters = (password: string, { refuse }: PasswordRequest) => {
  if (!/\p{Cc}/u.test(password)) return password;
  throw refuse('The password contains a control character, such as a line break.');
};

const askWithoutEcho = async ({ questions, cancelled, refuse }: PasswordRequest) => {
  const { default: password } = await import('@inquirer/password');
  const answers = new Set<string>();
  for (const message of questions) {
    answers.add(await failIfCancelled(password({ message }, onStandardError), cancelled));
  }
  const [answer = '', ...others] = answers;
  if (others.length > 0) throw refuse('The two passwords differ.');
  return answer;
};

const failIfCancelled = async <T>(answer: Promise<T>, message: string): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new Interrupted(message, CTRL_C);
    throw error;
  }
};

const MAX_INPUT_BYTES = 64 * 1024;
const NEW_LINE = 0x0a;

const readInput = async ({ readsFirstLineOnly = false, refuse }: PasswordRequest) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.byteLength;
    if (readsFirstLineOnly && bytes.includes(NEW_LINE)) break;
    if (size > MAX_INPUT_BYTES) throw refuse('The text on standard input is too long for a password.');
  }
  const all = Buffer.concat(chunks);
  const lineEnd = readsFirstLineOnly ? all.indexOf(NEW_LINE) : -1;
  try {
    const line = lineEnd === -1 ? all : all.subarray(0, lineEnd + 1);
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r?\n$/, '');
  } catch {
    throw refuse('The password on standard input is not UTF-8.');
  }
};
