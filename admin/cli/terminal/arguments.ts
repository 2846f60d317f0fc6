import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { CLIENT_NAME, CLIENT_NAME_RULE } from '../../../shared/clients/client.ts';
import { type Period, readPeriod } from './period.ts';

const parsePeriod = (text: string): Period => {
  const period = readPeriod(text);
  if (period) return period;
  throw new InvalidArgumentError(`Give ${TIMES}.`);
};

const TIMES =
  'how long ago (90m, 24h, 7d, 2w), a day (yesterday, 2026-03-01), or a day with a time ("2026-03-01 18:00" in the time zone of this machine, 2026-03-01T08:15Z in UTC)';

const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return Number(text);
};

/** The message of Commander has no quotation marks, so the choices `,` and `;` would be hard to see. */
export const parseChoice =
  <TChoice extends string>(first: TChoice, second: TChoice) =>
  (text: string): TChoice => {
    const choice = [first, second].find((candidate) => candidate === text);
    if (choice === undefined) throw new InvalidArgumentError(`Give "${first}" or "${second}".`);
    return choice;
  };

/** Also accepts a removed client. */
export const parseClient = (text: string): string => {
  if (!CLIENT_NAME.test(text)) {
    throw new InvalidArgumentError(CLIENT_NAME_RULE);
  }
  return text;
};

export const clientOption = () =>
  new Option('--client <name>', 'only this client, even if it was removed').argParser(parseClient);

export const sinceOption = (subject: string) =>
  new Option('--since <time>', `${subject}: ${TIMES}`).argParser(parsePeriod);

export const atOption = (subject: string) =>
  new Option('--at <time>', `${subject} at this time; a day means its end: ${TIMES}`).argParser(parsePeriod);

export const lastOption = () => new Option('--last <count>', 'only this many').argParser(parseCount);

export const freshOption = () =>
  new Option('--fresh', 'read everything again, even what an earlier command has stored on this machine');

export const noCacheOption = () => new Option('--no-cache', 'leave nothing on this machine');

/** How the user started the command: by its name or through npm. */
export const invocation =
  process.env['npm_lifecycle_event'] === 'admin' ? 'npm run admin --' : 'warehouse-admin';

/** The help of a command shows the common options with these names. `descriptions` replaces descriptions of options. */
export const showGlobalOptions = (names: readonly string[], descriptions: Record<string, string> = {}) => ({
  showGlobalOptions: true,
  visibleGlobalOptions: ({ parent }: CommandUnknownOpts) =>
    (parent?.options ?? [])
      .filter(({ long }) => long && names.includes(long))
      .map((option) => {
        const description = descriptions[option.long ?? ''];
        return description === undefined ? option : new Option(option.flags, description);
      }),
});

export const deploymentOptions = ['--local', '--data', '--stack', '--region', '--profile'];

/** The examples at the end of a command's help. */
export const examples = (...commandLines: string[]) =>
  `\nExamples:\n${commandLines.map((line) => `  ${invocation} ${line}`).join('\n')}\n`;
