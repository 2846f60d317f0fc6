import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { CLIENT_NAME } from '../../../shared/clients/client.ts';
import { type Period, readPeriod } from './period.ts';

const parsePeriod = (text: string): Period => {
  const period = readPeriod(text);
  if (period) return period;
  throw new InvalidArgumentError(
    'Give a span such as 90m, 24h, 7d or 2w, or a time such as yesterday, 2026-03-01, "2026-03-01 18:00" or 2026-03-01T08:15:00Z.',
  );
};

const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return Number(text);
};

/** Commander would list the signs between other commas, without quotation marks. */
export const parseSign =
  <TSign extends string>(one: TSign, other: TSign) =>
  (text: string): TSign => {
    const sign = [one, other].find((sign) => sign === text);
    if (sign === undefined) throw new InvalidArgumentError(`Give "${one}" or "${other}".`);
    return sign;
  };

/** Also accepts a removed client. */
export const parseClient = (text: string): string => {
  if (!CLIENT_NAME.test(text)) {
    throw new InvalidArgumentError(
      'A client name has 1 to 64 letters, digits, ".", "_" and "-". It is not "-", "." or "..".',
    );
  }
  return text;
};

export const clientOption = () =>
  new Option('--client <name>', 'only this client, even a removed one').argParser(parseClient);

const TIMES = 'yesterday, 2026-03-01, "2026-03-01 18:00" on the clock of this machine, or 2026-03-01T08:15Z';

export const sinceOption = (what: string) =>
  new Option('--since <time>', `${what}: 90m, 24h, 7d or 2w ago, ${TIMES}`).argParser(parsePeriod);

export const atOption = (what: string) =>
  new Option('--at <time>', `${what} at that time; a day means its end: ${TIMES}`).argParser(parsePeriod);

export const lastOption = () => new Option('--last <count>', 'only this many').argParser(parseCount);

export const freshOption = () =>
  new Option(
    '--fresh',
    'read everything again; without it, what an earlier command has read stays on this machine',
  );

export const noCacheOption = () => new Option('--no-cache', 'leave nothing on this machine');

/** How the user started the command: by its name or through npm. */
export const invocation =
  process.env['npm_lifecycle_event'] === 'admin' ? 'npm run admin --' : 'warehouse-admin';

/** A command's help shows the common options with these names. `words` replaces the descriptions of some. */
export const showGlobalOptions = (names: readonly string[], words: Record<string, string> = {}) => ({
  showGlobalOptions: true,
  visibleGlobalOptions: ({ parent }: CommandUnknownOpts) =>
    (parent?.options ?? [])
      .filter(({ long }) => long && names.includes(long))
      .map((option) => {
        const own = words[option.long ?? ''];
        return own === undefined ? option : new Option(option.flags, own);
      }),
});

export const deploymentOptions = ['--local', '--data', '--stack', '--region', '--profile'];

/** The examples at the end of a command's help. */
export const examples = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  ${invocation} ${line}`).join('\n')}\n`;
