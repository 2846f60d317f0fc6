import { Option } from '@commander-js/extra-typings';
import { InvalidArgumentError } from 'commander';
import { DAY_MS, HOUR_MS } from './time.ts';

const MINUTE_MS = 60_000;
const spans: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

const SPAN = /^(\d{1,6})([mhdw])$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d{1,3})?)?Z)?$/;

/** Reads a span such as `7d`, `24h`, `90m` or `2w`, or a day or an instant in UTC. */
export const parseSince = (text: string): Date => {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  if (count) return new Date(Date.now() - Number(count) * (spans[unit] ?? 0));
  const iso = text.replace(',', '.');
  const instant = new Date(iso);
  const isReal =
    INSTANT.test(text) &&
    !Number.isNaN(instant.getTime()) &&
    instant.toISOString().startsWith(iso.slice(0, 10));
  if (!isReal) {
    throw new InvalidArgumentError(
      'Give a span such as 90m, 24h, 7d or 2w, or a time in UTC such as 2026-03-01 or 2026-03-01T08:15:00Z.',
    );
  }
  return instant;
};

export const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return Number(text);
};

/** Also accepts a client that is no longer in the settings. A colon would make the key of a later part. */
export const parseClient = (text: string): string => {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(text)) {
    throw new InvalidArgumentError('A client name has 1 to 64 letters, digits, ".", "_" and "-".');
  }
  return text;
};

/** The doctor writes test data under such a name. The data is about no material of a warehouse. */
export const isDoctorClient = (name: string) => /^doctor/i.test(name);

export const clientOption = () =>
  new Option('--client <name>', 'of one client, also of one that is no longer in the settings').argParser(
    parseClient,
  );

export const sinceOption = (what: string) =>
  new Option(
    '--since <time>',
    `${what}: 90m, 24h, 7d, 2w ago, or a UTC time such as 2026-03-01T08:15Z`,
  ).argParser(parseSince);

export const lastOption = () => new Option('--last <count>', 'only so many').argParser(parseCount);

/** How the user started the command: by its name or through npm. */
export const invocation =
  process.env['npm_lifecycle_event'] === 'admin' ? 'npm run admin --' : 'warehouse-admin';

/** The examples at the end of a command's help. */
export const examples = (...lines: string[]) =>
  `\nExamples:\n${lines.map((line) => `  ${invocation} ${line}`).join('\n')}\n`;
