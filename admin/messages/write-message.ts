import type { DatabaseSync } from 'node:sqlite';
import type { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { writeRule } from '../stock/checks/kinds/refused-request.ts';
import { codePointsOf, markSpelling } from '../stock/checks/parts/describe-spelling.ts';
import { rowsOf } from '../stock/database/rows.ts';
import { type Concern, type FindingValues, readConcerns } from '../stock/tables/work.ts';
import { reader } from '../text/reader.ts';
import { formatNumber, MAX_NAMES } from '../text/words.ts';
import { writeFor } from '../text/write-for.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { type Facts, factsOf, type Language, type Signs } from './facts.ts';
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
  { client, displayName = client, language: code = 'en' }: Recipient,
  concerns: readonly Concern[],
  zone: string,
) => {
  const language = languages[code];
  const writers: Partial<Record<string, (facts: Facts) => string>> = language.wrong;
  const asks: Partial<Record<string, string>> = language.ask;
  // A point or a comma between the groups of digits could be read as a decimal sign.
  const format = (value: number) =>
    writeFor({ timeZone: zone, decimal: language.decimal }, () => formatNumber(value));
  const times = new Intl.DateTimeFormat(language.locale, {
    ...{ dateStyle: language.dateStyle, timeStyle: 'short', timeZone: zone },
  });
  const signs: Signs = { number: format, moment: times.format };
  const parts = concerns.flatMap((concern) => {
    const sentence = writers[concern.kind]?.(factsOf(concern, signs, language));
    const lines = [`${sentence}.`, ...writeRows(concern, language, signs), asks[concern.kind]];
    return sentence ? { kind: concern.kind, lines } : [];
  });
  if (parts.length === 0) return undefined;
  const numbered = parts.map(({ lines }, index) => `${index + 1}. ${lines.join('\n   ')}`);
  const text = [language.opening(displayName), ...numbered, language.closing(zone)].join('\n\n');
  return { subject: language.subject(displayName), text, kinds: parts.map(({ kind }) => kind) };
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
  const named = concerns.filter(({ kind }) => kinds.includes(kind));
  return {
    ...message,
    contact: item.Contact ?? null,
    /** The concerns that the message names, for marks that say so. */
    named: named.map(({ kind, version }) => ({ kind, version })),
  };
};

const writeRows = (
  { count, oldestSince, newestSince, findings }: Concern,
  language: Language,
  signs: Signs,
) => {
  const rows = findings.slice(0, MAX_ROWS).flatMap((finding) => {
    const row = writeRow(finding, language, signs);
    const { since, data } = finding;
    const hasTime = since !== null && oldestSince !== newestSince && data.original === undefined;
    const own = hasTime ? `, ${language.since(signs.moment(since))}` : '';
    return row === undefined ? [] : [`- ${row}${own}`];
  });
  const left = count - rows.length;
  return rows.length > 0 && left > 0 ? [...rows, `- ${language.moreRows(signs.number(left))}`] : rows;
};

/** Undefined if the sentence already says all. */
const writeRow = ({ subject, data }: Concern['findings'][number], language: Language, { number }: Signs) => {
  const { value, previousValue, material = subject, unit, previousUnit, listed, usualUnit, original } = data;
  if (value !== undefined && previousValue !== undefined) {
    const { balances = 1, codes = [] } = data;
    const values = `${number(value)} ${unit} (${language.before}: ${number(previousValue)} ${previousUnit})`;
    if (balances === 1) return `${material}: ${values}`;
    const left = balances - MAX_NAMES;
    const more = left > 0 ? ` ${language.more(number(left))}` : '';
    return `${codes.slice(0, MAX_NAMES).join(', ')}${more}; ${language.example} ${material}: ${values}`;
  }
  if (listed !== undefined) return `${subject}: ${unit} (${language.inTheList}: ${listed})`;
  if (usualUnit !== undefined) return `${subject} → ${usualUnit} (${language.example} ${material})`;
  if (data.rule !== undefined)
    return `${writeRule(data.rule, language.rule)} (${number(data.refusals ?? 0)})`;
  return original ? writeAlike(subject, original, data) : undefined;
};

/** If only others know the original, the row has the letters of the own code that differ. */
const writeAlike = (subject: string, original: string, { knowsOriginal }: FindingValues) => {
  if (knowsOriginal) return `${subject} ↔ ${original}`;
  const letters = markSpelling(subject, original).filter((part) => typeof part !== 'string');
  return [subject, ...letters.map(({ letter }) => `${letter} = ${codePointsOf(letter)}`)].join(': ');
};
