import { Failure, WrongUsage } from './failure.ts';

/** Questions are no data. */
const onStandardError = { output: process.stderr };

/** Where nobody can be asked, the answer has to have been given on the command line. */
export const confirmed = async (question: string, yes: boolean | undefined) => {
  if (yes) return;
  if (!process.stdin.isTTY)
    throw new WrongUsage(`${question}\nNobody can be asked here: add --yes. Nothing was changed.`);
  const { default: confirm } = await import('@inquirer/confirm');
  if (!(await orCancelled(confirm({ message: question, default: false }, onStandardError)))) {
    throw new Failure('Nothing was changed.');
  }
};

/** A password without echo, twice; in a pipe, what it brings. */
export const askPassword = async (): Promise<string> => {
  if (!process.stdin.isTTY) return withoutLineEnd(await standardInput());
  const { default: password } = await import('@inquirer/password');
  const first = await orCancelled(password({ message: 'New password' }, onStandardError));
  const second = await orCancelled(password({ message: 'Once more' }, onStandardError));
  if (first !== second) throw new Failure('The two are not the same. Nothing was changed.');
  return first;
};

const orCancelled = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new Failure('Nothing was changed.');
    throw error;
  }
};

const standardInput = async () => {
  const bytes = Buffer.concat(await Array.fromAsync(process.stdin));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('The password on standard input is not UTF-8. Nothing was changed.');
  }
};

const withoutLineEnd = (text: string) => text.replace(/\r?\n$/, '');
