import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/assembly.ts';
import { type Command, type Ended, execute } from './execute.ts';
import { fenceIn } from './page.ts';

type Language = { file: string; compiler?: Command; command: Command };

/** How to run a program, by the language of its block. */
export const languages = new Map<string, Language>([
  ['bash', { file: 'program.sh', command: ['bash', 'program.sh'] }],
  ['php', { file: 'program.php', command: ['php', 'program.php'] }],
  ['lua', { file: 'program.lua', command: ['lua5.1', 'program.lua'] }],
  ['python', { file: 'program.py', command: ['python3', 'program.py'] }],
  [
    'csharp',
    {
      file: 'Program.cs',
      // -langversion:5 is the language of .NET Framework 4.5.
      compiler: [
        'mcs',
        ...'-langversion:5 -r:System.Net.Http.dll -r:System.Web.Extensions.dll -main:Ending'.split(' '),
        'Program.cs',
        fileURLToPath(new URL('ending.cs', import.meta.url)),
      ],
      command: ['mono', 'Program.exe'],
    },
  ],
]);

type Account = { baseUrl: string; username: string; password: string };

export type Run = (account: Account) => Promise<Ended>;

/** Writes a program of the page into a new folder, possibly edited, and compiles it if needed. */
export const prepare = async (language: string, edit = (code: string) => code): Promise<Run> => {
  const known = languages.get(language);
  if (!known) throw new Error(`No command for ${language}.`);
  const { file, compiler, command } = known;
  const cwd = join(temporaryFolder(), language);
  mkdirSync(cwd);
  writeFileSync(join(cwd, file), edit(fenceIn(language)));
  if (compiler) {
    const { exitCode, stdout, stderr } = await execute(compiler, cwd, locale);
    if (exitCode !== 0) throw new Error(`${language} does not compile: ${stdout}${stderr}`);
  }
  return (account) => execute(command, cwd, environmentOf(account));
};

/** Runs a command line of the page. */
export const runLine = (line: string, account: Account) =>
  execute(['sh', '-c', line], temporaryFolder(), environmentOf(account));

const environmentOf = ({ baseUrl, username, password }: Account) => ({
  BASE_URL: baseUrl,
  WAREHOUSE_USER: username,
  WAREHOUSE_PASSWORD: password,
  ...locale,
});

/** UTF-8, but in a language that writes numbers with a comma, for programs that follow LANG. */
const CATEGORIES =
  'CTYPE NUMERIC TIME COLLATE MONETARY MESSAGES PAPER NAME ADDRESS TELEPHONE MEASUREMENT IDENTIFICATION';
const locale = {
  LANG: 'ru_RU.UTF-8',
  ...Object.fromEntries(CATEGORIES.split(' ').map((category) => [`LC_${category}`, 'C.UTF-8'])),
};
