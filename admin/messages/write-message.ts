import { codePointsOf, markSpelling } from '../stock/checks/parts/describe-spelling.ts';
import { MAX_NAMES } from '../text/words.ts';
import type { Concern, Language, SummaryWords } from './concern.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

const languages = { en, de, ru };

/** What a row of a message needs from the data of a finding. */
type RowData = {
  balances?: number;
  codes?: string[];
  material?: string;
  value?: number;
  unit?: string;
  previousValue?: number;
  previousUnit?: string;
  listed?: string;
  usual?: string | number | null;
  rule?: string;
  refusals?: number;
  original?: string;
  originalPlace?: { isListed: number; warehouses: string[] };
};

export type Recipient = {
  client: string;
  displayName?: string | undefined;
  language?: keyof typeof languages | undefined;
};

/** A method accepts functions of more exact data. */
type Writer = { write(concern: Concern, words: SummaryWords): string }['write'];

export const MAX_ROWS = 20;

/**
 * A message to the people of a warehouse about its concerns, as plain text in their language, with times in `zone`. It has nothing of other
 * warehouses. Undefined if no concern needs a message.
 */
export const writeMessage = (
  { client, displayName = client, language = 'en' }: Recipient,
  concerns: readonly Concern<RowData>[],
  zone: string,
) => {
  const words = languages[language];
  const writers: Partial<Record<string, Writer>> = words.wrong;
  const asks: Partial<Record<string, string>> = words.ask;
  const numbers = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 20 });
  const times = new Intl.DateTimeFormat(words.locale, {
    ...{ dateStyle: words.dateStyle, timeStyle: 'short', timeZone: zone },
  });
  const signs: SummaryWords = { count: numbers.format, balance: numbers.format, moment: times.format };
  const parts = concerns.flatMap((concern) => {
    const sentence = writers[concern.kind]?.(concern, signs);
    return sentence ? [[`${sentence}.`, ...rowsOf(concern, client, words, signs), asks[concern.kind]]] : [];
  });
  if (parts.length === 0) return undefined;
  const numbered = parts.map((lines, index) => `${index + 1}. ${lines.join('\n   ')}`);
  const text = [words.opening(displayName), ...numbered, words.closing(zone)].join('\n\n');
  return { subject: words.subject(displayName), text };
};

const rowsOf = (
  { count, first, since, findings }: Concern<RowData>,
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
  { subject, data }: Concern<RowData>['findings'][number],
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
  if (data.rule !== undefined) return `${data.rule} (${count(data.refusals ?? 0)})`;
  return original === undefined ? undefined : writeAlike(subject, original, client, data);
};

/** Another warehouse may have sent the original. Then the row has only the letters of the own code that differ. */
const writeAlike = (subject: string, original: string, client: string, { originalPlace }: RowData) => {
  if (originalPlace?.isListed || originalPlace?.warehouses.includes(client))
    return `${subject} ↔ ${original}`;
  const letters = markSpelling(subject, original).filter((part) => typeof part !== 'string');
  return [subject, ...letters.map(({ letter }) => `${letter} = ${codePointsOf(letter)}`)].join(': ');
};
