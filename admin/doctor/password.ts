import { Failure, WrongUsage } from '../cli/failure.ts';

export const PASSWORD_VARIABLE = 'WAREHOUSE_PASSWORD';

const LONGEST_BYTES = 64 * 1024;
const NEW_LINE = 0x0a;

/** Never from the command line, which others on the machine can see and the shell keeps. */
export const readPassword = async (username: string): Promise<string> => {
  const password = process.env[PASSWORD_VARIABLE] || (await fromInput(username));
  if (password === '') {
    throw new WrongUsage(`There is no password: set ${PASSWORD_VARIABLE}, or give it on standard input.`);
  }
  if (/\p{Cc}/u.test(password)) throw new WrongUsage('The password has a control character in it.');
  return password;
};

const fromInput = (username: string) => (process.stdin.isTTY ? ask(username) : firstLine());

const ask = async (username: string) => {
  const { default: password } = await import('@inquirer/password');
  try {
    return await password({ message: `Password of ${username}` }, { output: process.stderr });
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new Failure('Nothing was sent.');
    throw error;
  }
};

const firstLine = async () => {
  const chunks: Buffer[] = [];
  let size = 0;
  // What comes after the first line is left where it is.
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.byteLength;
    if (bytes.includes(NEW_LINE)) break;
    if (size > LONGEST_BYTES)
      throw new WrongUsage('The first line on standard input is too long for a password.');
  }
  const all = Buffer.concat(chunks);
  const end = all.indexOf(NEW_LINE);
  return decoded(end === -1 ? all : all.subarray(0, end)).replace(/\r$/, '');
};

const decoded = (bytes: Buffer) => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new WrongUsage('The password on standard input is not UTF-8.');
  }
};
