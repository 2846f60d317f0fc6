import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/assembly.ts';
import { type Command, type Ended, execute } from './execute.ts';
import { programIn } from './page.ts';

type Language = { file: string; compiler?: Command; command: Command };

/** The file of Debian's package libgoogle-gson-java. */
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
      // .NET Framework 4.5 has C# 5.
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
      // Each run is short, so the optimizing compiler would only cost time.
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

/** With an empty cache, Go compiles its standard library first. */
const COMPILER_TIME_OUT_MS = 300_000;

type Login = { baseUrl: string; userName: string; password: string };

export type Run = (account: Login) => Promise<Ended>;

/** Writes a program of the pages, edited if asked for, into a new folder and compiles it. */
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
export const runCommand = (command: string, account: Login) =>
  execute(['sh', '-c', command], temporaryFolder(), environmentOf(account));

const environmentOf = ({ baseUrl, userName, password }: Login) => ({
  BASE_URL: baseUrl,
  CREDENTIALS: `${userName}:${password}`,
  WAREHOUSE_USER: userName,
  WAREHOUSE_PASSWORD: password,
  ...locale,
});

/** A locale with UTF-8 and with a comma in numbers for programs that use LANG. */
const CATEGORIES =
  'CTYPE NUMERIC TIME COLLATE MONETARY MESSAGES PAPER NAME ADDRESS TELEPHONE MEASUREMENT IDENTIFICATION';
const locale = {
  LANG: 'ru_RU.UTF-8',
  ...Object.fromEntries(CATEGORIES.split(' ').map((category) => [`LC_${category}`, 'C.UTF-8'])),
};
