import { Command, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { checks } from './checks/all.ts';
import { expectOwnClient, type Order } from './doctor.ts';
import { PASSWORD_VARIABLE, readPassword } from './password.ts';

const INVOCATION = 'npm run doctor --';
const LIVE = '--base-url https://abcde12345.execute-api.eu-central-1.amazonaws.com/live --client doctor';

const HELP = `
The password comes from ${PASSWORD_VARIABLE}, else from the first line of standard input, else it is asked for.
It ends with 0 where nothing is wrong, with 1 where something is, with 2 where it was asked wrongly.
Ctrl-C ends it at once, with 130; it tells what was written until then.

Examples:
  ${INVOCATION} ${LIVE}
  ${INVOCATION} ${LIVE} < password.txt
  npm run --silent doctor -- ${LIVE} --json
  ${INVOCATION} --base-url http://127.0.0.1:3000/live --client warehouse --write-as-this-client --only challenge,change
`;

/** Without the slashes at its end. */
const parseBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Give a URL with https:// or http://, as the output BaseUrl tells it.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError('Give it without user name, password, query and fragment.');
  }
  if (/\/rest(\/|$)/.test(url.pathname)) {
    throw new InvalidArgumentError('Give what stands before /rest/warehouse-control alone.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

/** RFC 7617: a colon ends the user name. */
const parseUserName = (text: string): string => {
  if (text === '' || /[:\p{Cc}]/u.test(text)) {
    throw new InvalidArgumentError('A user name is not empty, and has no colon and no control character.');
  }
  return text;
};

const parseNames = (text: string): string[] => {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const known = checks.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined && names.length > 0) return names;
  const what = unknown === undefined ? 'Name a check.' : `There is no check ${JSON.stringify(unknown)}.`;
  throw new InvalidArgumentError(`${what} There are: ${known.join(', ')}.`);
};

export const createProgram = (visit: (order: Order) => Promise<void>) =>
  new Command(INVOCATION)
    .description('Tries a deployment of the Warehouse Control Interface as its old clients would.')
    .showHelpAfterError('(--help tells more)')
    .exitOverride()
    .addHelpText('after', HELP)
    .addOption(
      new Option('--base-url <url>', 'the base URL, stage included')
        .argParser(parseBaseUrl)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--client <name>', 'the client under which test data is written')
        .argParser(parseUserName)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--username <name>', 'what it signs in with, where that is not its name').argParser(
        parseUserName,
      ),
    )
    .addOption(
      new Option(
        '--write-as-this-client',
        'write test data also where the name does not begin with "doctor"',
      ),
    )
    .addOption(new Option('--only <checks>', 'only these, with commas between').argParser(parseNames))
    .addOption(new Option('--json', 'print the results as a JSON array'))
    .action(async ({ baseUrl, client, username = client, only, json, writeAsThisClient }) => {
      const order = {
        baseUrl,
        client,
        username,
        only,
        isJson: json ?? false,
        isAnyClientRight: writeAsThisClient ?? false,
      };
      expectOwnClient(order);
      await visit({ ...order, password: await readPassword(username) });
    });
