import { Command } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { isDoctorClient } from '../cli/arguments.ts';
import { readPassword } from '../cli/ask.ts';
import { FAILED, WrongUsage } from '../cli/failure.ts';
import { watchInterruption } from '../cli/interruption.ts';
import { exitOnClosedOutput, print, runToExitCode, say } from '../cli/terminal.ts';
import { checks } from './checks/all.ts';
import { runDoctor } from './run-doctor.ts';

const INVOCATION = 'npm run doctor --';
const LIVE = '--base-url https://abcde12345.execute-api.eu-central-1.amazonaws.com/live --client doctor';
const PASSWORD_VARIABLE = 'WAREHOUSE_PASSWORD';

const HELP = `
The password comes from ${PASSWORD_VARIABLE}, else from the first line of standard input, else the doctor asks for it.
Exit codes: 0 nothing is wrong, 1 something is wrong, 2 usage error, 130 Ctrl-C.
The last lines say what was written, also after Ctrl-C.

Examples:
  ${INVOCATION} ${LIVE}
  ${INVOCATION} ${LIVE} < password.txt
  npm run --silent doctor -- ${LIVE} --json
  ${INVOCATION} --base-url http://127.0.0.1:3000/live --client warehouse --write-as-this-client --only challenge,change
`;

const NO_DOCTOR_CLIENT = `The doctor writes test data, so it needs a client whose name begins with "doctor".
To add one: in cdk.json, under "warehouse-control", add { "name": "doctor", "silenceHours": 0 } to clients, and deploy.
To see its password: \`npx warehouse-admin clients show doctor --reveal\`.
To write under the given client anyway: --write-as-this-client.`;

const parseBaseUrl = (text: string): string => {
  const url = URL.parse(text);
  const base = `${url?.origin}${url?.pathname}`;
  const isBase = /^https?:/.test(base) && url?.href === base && !/[^/]\/rest(\/|$)/.test(base);
  if (isBase) return base.replace(/\/+$/, '');
  throw new InvalidArgumentError(
    'Give a URL such as the output BaseUrl. It begins with https:// or http:// and ends before /rest. It has no user name, password or query.',
  );
};

/** RFC 7617 forbids the colon. */
const parseUserName = (text: string): string => {
  if (text === '' || /[:\p{Cc}]/u.test(text)) {
    throw new InvalidArgumentError(
      'A user name cannot be empty, and cannot contain a colon or a control character.',
    );
  }
  return text;
};

const parseCheckNames = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim());
  const chosen = names.filter((name) => name !== '');
  const known = checks.map(({ name }) => name);
  if (chosen.length > 0 && chosen.every((name) => known.includes(name))) return chosen;
  throw new InvalidArgumentError(
    `Give one or more of these checks, separated by commas: ${known.join(', ')}.`,
  );
};

const requirePassword = async (username: string) => {
  const password = await readPassword({
    variable: PASSWORD_VARIABLE,
    questions: [`Password of ${username}`],
    readsFirstLineOnly: true,
    cancelled: 'Nothing was sent.',
    refuse: (reason) => new WrongUsage(reason),
  });
  if (password !== '') return password;
  throw new WrongUsage(`There is no password. Set ${PASSWORD_VARIABLE}, or give it on standard input.`);
};

const createProgram = () =>
  new Command(INVOCATION)
    .description('Checks a deployment of the Warehouse Control Interface as its old clients use it.')
    .showHelpAfterError('(--help shows more)')
    .exitOverride()
    .addHelpText('after', HELP)
    .requiredOption('--base-url <url>', 'the base URL with its stage', parseBaseUrl)
    .requiredOption('--client <name>', 'the client that test data is written under', parseUserName)
    .option('--username <name>', 'its user name, if it differs from its name', parseUserName)
    .option('--write-as-this-client', 'write test data even if the name does not begin with "doctor"', false)
    .option('--only <checks>', 'only these checks, separated by commas', parseCheckNames)
    .option('--json', 'print the results as a JSON array', false);

export const runDoctorCommand = (line: readonly string[]) =>
  runToExitCode(async () => {
    const options = createProgram().parse(line, { from: 'user' }).opts();
    const { client, username = client, writeAsThisClient } = options;
    if (!writeAsThisClient && !isDoctorClient(client)) throw new WrongUsage(NO_DOCTOR_CLIENT);
    const password = await requirePassword(username);
    const interruption = watchInterruption({ survivesSecond: true });
    try {
      const context = { print: (text: string) => print(`${text}\n`), say, now: Date.now };
      const { signal: interrupted } = interruption;
      const isWell = await runDoctor({ ...options, username, password }, { ...context, interrupted });
      return interruption.exitCode() ?? (isWell ? 0 : FAILED);
    } finally {
      interruption.stopWatching();
    }
  });

if (import.meta.main) {
  exitOnClosedOutput(FAILED);
  process.exitCode = await runDoctorCommand(process.argv.slice(2));
}
