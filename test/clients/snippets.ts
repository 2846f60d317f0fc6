import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/assembly.ts';
import { type Command, type Ended, execute } from './execute.ts';
import { programIn } from './page.ts';

type Language = { file: string; compiler?: Command; command: Command };

/** Debian's libgoogle-gson-java. */
const GSON = '/usr/share/java/gson.jar';

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
  [
    'java',
    {
      file: 'Warehouse.java',
      compiler: ['javac', ...`--release 8 -encoding UTF-8 -cp ${GSON} Warehouse.java`.split(' ')],
      // The quick compiler alone, because each run is short.
      command: ['java', '-XX:TieredStopAtLevel=1', '-cp', `.:${GSON}`, 'Warehouse'],
    },
  ],
  [
    'go',
    {
      file: 'warehouse.go',
      // Without cgo, the build needs no C compiler.
      compiler: ['env', 'CGO_ENABLED=0', 'go', 'build', '-gcflags=-lang=go1.16', 'warehouse.go'],
      command: ['./warehouse'],
    },
  ],
]);

/** Go compiles its standard library first where its cache is empty. */
const COMPILER_TIME_OUT_MS = 300_000;

type Account = { baseUrl: string; username: string; password: string };

export type Run = (account: Account) => Promise<Ended>;

/** Writes a program of the pages into a new folder, possibly edited, and compiles it if needed. */
export const prepare = async (language: string, edit = (code: string) => code): Promise<Run> => {
  const known = languages.get(language);
  if (!known) throw new Error(`No command for ${language}.`);
  const { file, compiler, command } = known;
  const cwd = join(temporaryFolder(), language);
  mkdirSync(cwd);
  writeFileSync(join(cwd, file), edit(programIn(language)));
  if (compiler) {
    const { exitCode, stdout, stderr } = await execute(compiler, cwd, locale, COMPILER_TIME_OUT_MS);
    if (exitCode !== 0) throw new Error(`${language} does not compile: ${stdout}${stderr}`);
  }
  return (account) => execute(command, cwd, environmentOf(account));
};

/** Runs a command of the page. */
export const runCommand = (command: string, account: Account) =>
  execute(['sh', '-c', command], temporaryFolder(), environmentOf(account));

const environmentOf = ({ baseUrl, username, password }: Account) => ({
  BASE_URL: baseUrl,
  CREDENTIALS: `${username}:${password}`,
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
