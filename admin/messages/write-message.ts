import type { DatabaseSync } from 'node:sqlite';
import type { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { describeRule } from '../stock/checks/kinds/refused-request.ts';
import { codePointsOf, markSpelling } from '../stock/checks/parts/describe-spelling.ts';
import { rowsOf } from '../stock/database/rows.ts';
import { type Concern, type FindingValues, readConcerns } from '../stock/tables/work.ts';
import { reader } from '../text/reader.ts';
import { formatNumber, MAX_NAMES } from '../text/words.ts';
import { writeFor } from '../text/write-for.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { type Facts, factsOf, type Language, type SummaryWords } from './facts.ts';
import { ru } from './ru.ts';

const languages = { en, de, ru };

type Recipient = {
  client: string;
  displayName?: string | undefined;
  language?: keyof typeof languages | undefined;
};

export const MAX_ROWS = 20;

/**
 * A message to the people of a warehouse about its concerns, as plain text in their language, with times in `zone`. It has nothing of other
 * warehouses. `kinds` are those that it names. Undefined if no concern needs a message.
 */
export const writeMessage = (
  { client, displayName = client, language = 'en' }: Recipient,
  concerns: readonly Concern[],
  zone: string,
) => {
  const words = languages[language];
  const writers: Partial<Record<string, (facts: Facts) => string>> = words.wrong;
  const asks: Partial<Record<string, string>> = words.ask;
  // A point or a comma between the groups of digits could be read as a decimal sign.
  const format = (value: number) =>
    writeFor({ timeZone: zone, decimal: words.decimal }, () => formatNumber(value));
  const times = new Intl.DateTimeFormat(words.locale, {
    ...{ dateStyle: words.dateStyle, timeStyle: 'short', timeZone: zone },
  });
  const signs: SummaryWords = { count: format, balance: format, moment: times.format };
  const parts = concerns.flatMap((concern) => {
    const sentence = writers[concern.kind]?.(factsOf(concern, signs, words));
    const lines = [`${sentence}.`, ...writeRows(concern, client, words, signs), asks[concern.kind]];
    return sentence ? { kind: concern.kind, lines } : [];
  });
  if (parts.length === 0) return undefined;
  const numbered = parts.map(({ lines }, index) => `${index + 1}. ${lines.join('\n   ')}`);
  const text = [words.opening(displayName), ...numbered, words.closing(zone)].join('\n\n');
  return { subject: words.subject(displayName), text, kinds: parts.map(({ kind }) => kind) };
};

/** The message to a warehouse about all its open concerns of the moment that the findings show. Undefined if there are none. */
export const readMessage = (db: DatabaseSync, client: string) => {
  const [row] = rowsOf<{ item: string }>(db.prepare('SELECT item FROM client WHERE name = ?'), client);
  const item: Partial<ClientWithoutHashes> = JSON.parse(row?.item ?? '{}');
  const concerns = readConcerns(db, { scope: client, state: 'open', rows: MAX_ROWS });
  const recipient = { client, displayName: item.DisplayName, language: item.Language };
  const written = writeMessage(recipient, concerns, reader().timeZone);
  if (!written) return undefined;
  const { kinds, ...message } = written;
  const told = concerns.filter(({ kind }) => kinds.includes(kind));
  return {
    ...message,
    contact: item.Contact ?? null,
    /** What the message tells, for marks that say so. */
    told: told.map(({ kind, version }) => ({ kind, version })),
  };
};

const writeRows = (
  { count, first, since, findings }: Concern,
  client: string,
  words: Language,
  signs: SummaryWords,
) => {
  const rows = findings.slice(0, MAX_ROWS).flatMap((finding) => {
    const row = writeRow(finding, client, words, signs);
    const { since: time, data } = finding;
    const hasTime = time !== null && first !== since && data.original === undefined;
    const own = hasTime ? `, ${words.since(signs.moment(time))}` : '';
    return row === undefined ? [] : [`- ${row}${own}`];
  });
  const left = count - rows.length;
  return rows.length > 0 && left > 0 ? [...rows, `- ${words.moreRows(signs.count(left))}`] : rows;
};

/** Undefined if the sentence already says all. */
const writeRow = (
  { subject, data }: Concern['findings'][number],
  client: string,
  words: Language,
  { balance, count }: SummaryWords,
) => {
  const { value, previousValue, material = subject, unit, previousUnit, listed, usual, original } = data;
  if (value !== undefined && previousValue !== undefined) {
    const { balances = 1, codes = [] } = data;
    const values = `${balance(value)} ${unit} (${words.before}: ${balance(previousValue)} ${previousUnit})`;
    if (balances === 1) return `${material}: ${values}`;
    const left = balances - MAX_NAMES;
    const more = left > 0 ? ` ${words.more(count(left))}` : '';
    return `${codes.slice(0, MAX_NAMES).join(', ')}${more}; ${words.example} ${material}: ${values}`;
  }
  if (listed !== undefined) return `${subject}: ${unit} (${words.inTheList}: ${listed})`;
  if (typeof usual === 'string') return `${subject} → ${usual} (${words.example} ${material})`;
  if (data.rule !== undefined) return `${describeRule(data.rule, words.rule)} (${count(data.refusals ?? 0)})`;
  return original === undefined ? undefined : writeAlike(subject, original, client, data);
};

/** Another warehouse may have sent the original. Then the row has only the letters of the own code that differ. */
const writeAlike = (subject: string, original: string, client: string, { originalPlace }: FindingValues) => {
  if (originalPlace?.isListed || originalPlace?.warehouses.includes(client))
    return `${subject} ↔ ${original}`;
  const letters = markSpelling(subject, original).filter((part) => typeof part !== 'string');
  return [subject, ...letters.map(({ letter }) => `${letter} = ${codePointsOf(letter)}`)].join(': ');
};
