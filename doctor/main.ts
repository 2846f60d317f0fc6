import { readFileSync } from 'node:fs';
import { Command, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { readPassword } from '../admin/cli/terminal/ask.ts';
import { watchInterruption } from '../admin/cli/terminal/interruption.ts';
import { exitOnClosedOutput, print, runToExitCode, say } from '../admin/cli/terminal/terminal.ts';
import { FAILED, WrongUsage } from '../admin/text/failure.ts';
import { describeAccount } from './aws.ts';
import { checkFacts, type Facts, type Result } from './fact.ts';
import { accountFacts } from './facts/account.ts';
import { quickFacts } from './facts/quick-facts.ts';
import type { Login } from './http/caller.ts';
import { countStates, formatResult } from './results.ts';
import { examineTrial } from './trial/examine-trial.ts';
import { Trial } from './trial/trial.ts';

const INVOCATION = 'npm run doctor --';
const LIVE = '--base-url https://abcde12345.execute-api.eu-central-1.amazonaws.com/live --client doctor';
const PASSWORD_VARIABLE = 'WAREHOUSE_PASSWORD';
/** The gateway responds within 29 s, and the largest batch takes a while over a slow connection. */
const TIME_LIMIT_MS = 120_000;

const HELP = `
With --base-url, the doctor checks a deployment within seconds, and stores nothing there. The password comes from
${PASSWORD_VARIABLE}, else from the first line of standard input, else the doctor asks for it.
With --trial, the doctor deploys a stack of its own with the credentials of the environment (AWS_PROFILE, AWS_REGION),
checks all facts, writes a table of results, and destroys the stack, also after Ctrl-C.
With --account, the doctor reads what the account of the credentials lacks for cdk.json, and changes nothing.
Exit codes: 0 nothing is wrong, 1 something is wrong or failed, 2 usage error, 130 Ctrl-C.

Examples:
  ${INVOCATION} ${LIVE}
  ${INVOCATION} ${LIVE} < password.txt
  ${INVOCATION} --trial WarehouseFacts
  ${INVOCATION} --account production
`;

const parseBaseUrl = (text: string): string => {
  const url = URL.parse(text);
  const base = `${url?.origin}${url?.pathname}`;
  const isBase = /^https?:/.test(base) && url?.href === base && !/[^/]\/rest(\/|$)/.test(base);
  if (isBase) return base.replace(/\/+$/, '');
  throw new InvalidArgumentError(
    'Give a URL such as the output BaseUrl. It begins with https:// or http:// and ends before /rest. It has no user name, password or query.',
  );
};

const parseStackName = (name: string) => {
  if (/^[A-Za-z][A-Za-z0-9-]{0,59}$/.test(name)) return name;
  throw new InvalidArgumentError('Give a name of 1 to 60 letters, digits and "-" that begins with a letter.');
};

const requirePassword = async (userName: string) => {
  const password = await readPassword({
    variable: PASSWORD_VARIABLE,
    questions: [`Password of ${userName}`],
    readsFirstLineOnly: true,
    cancelled: 'Nothing was sent.',
    refuse: (reason) => new WrongUsage(reason),
  });
  if (password !== '') return password;
  throw new WrongUsage(`There is no password. Set ${PASSWORD_VARIABLE}, or give it on standard input.`);
};

const examineAccount = async (stage: string | true, interrupted: AbortSignal) => {
  // Imported only here, because this module loads the CDK.
  const { parseSettings } = await import('../infra/settings/stages.ts');
  const cdkJson = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
  const settings = parseSettings(cdkJson.context['warehouse-control'], stage === true ? undefined : stage);
  await printLine(`The ${await describeAccount()}, and the stack ${settings.stackName}:`);
  const nobody = { baseUrl: '', client: '', userName: '', password: '' };
  return checkAndPrint(accountFacts(settings), nobody, interrupted);
};

const LIVE_OPTIONS = ['baseUrl', 'client', 'userName'];
const createProgram = () =>
  new Command(INVOCATION)
    .description(
      'Checks facts about a deployment of the Warehouse Control Interface, as the old programs of warehouses use it.',
    )
    .showHelpAfterError('(--help shows more)')
    .exitOverride()
    .addHelpText('after', HELP)
    .option('--base-url <url>', 'the base URL with its API stage', parseBaseUrl)
    .option('--client <name>', 'the client to sign in as')
    .option('--user-name <name>', 'the user name of the client, if it is not its name')
    .addOption(
      new Option('--trial <name>', 'deploy this stack, check all facts, and destroy the stack')
        .conflicts(LIVE_OPTIONS)
        .argParser(parseStackName),
    )
    .addOption(
      new Option('--account [stage]', 'check the account, for the settings in cdk.json').conflicts([
        ...LIVE_OPTIONS,
        'trial',
      ]),
    )
    .option('--slots', 'with --trial: also measure how long a deployment of 170 slots takes', false)
    .option('--yes', 'with --trial: deploy without asking', false);
type Options = ReturnType<ReturnType<typeof createProgram>['opts']>;

const printLine = (text: string) => print(`${text}\n`);

const examineLive = async ({ baseUrl, client, userName }: Options, interrupted: AbortSignal) => {
  if (baseUrl === undefined || client === undefined) {
    throw new WrongUsage('Give --base-url and --client, or --trial, or --account. (--help shows more)');
  }
  const name = userName ?? client;
  const login = { baseUrl, client, userName: name, password: await requirePassword(name) };
  return checkAndPrint(quickFacts, login, interrupted);
};

const checkAndPrint = async (facts: Facts, login: Login, interrupted: AbortSignal) => {
  const results: Result[] = [];
  for await (const result of checkFacts(facts, { login, timeLimitMs: TIME_LIMIT_MS, interrupted })) {
    results.push(result);
    await printLine(formatResult(result));
  }
  await printLine(`${interrupted.aborted ? 'Stopped early. ' : ''}${countStates(results)}`);
  return results;
};

export const runDoctor = (line: readonly string[]) =>
  runToExitCode(async () => {
    const options = createProgram().parse(line, { from: 'user' }).opts();
    const { trial, account, slots, yes } = options;
    const interruption = watchInterruption();
    const { signal: interrupted } = interruption;
    const examine = () => {
      const context = { print: printLine, say, interrupted };
      if (trial) return examineTrial(new Trial(trial, { interrupted }), { slots, yes }, context);
      return account ? examineAccount(account, interrupted) : examineLive(options, interrupted);
    };
    try {
      const isWrong = (await examine()).some(({ state }) => state === 'WRONG');
      return interruption.exitCode() ?? (isWrong ? FAILED : 0);
    } finally {
      interruption.stopWatching();
    }
    // The doctor does not have the options of admin commands.
  }, '');

export const main = async () => {
  exitOnClosedOutput(FAILED);
  process.exitCode = await runDoctor(process.argv.slice(2));
};
