import type { Marked } from '../../text/marked.ts';
import { quote, toVisible } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';
import type { FileRow } from '../rows/collect-rows.ts';
import { toTitle } from '../rows/titles.ts';
import { attributeOf } from '../values/compare-values.ts';
import { readNumber } from '../values/read-number.ts';
import type { RowChange } from './row-change.ts';

/** `warnings`: stored numbers that an import would turn into texts. `notices`: columns whose new texts look like numbers. */
export const findLostNumbers = (changes: readonly RowChange[], file: ReadonlyMap<string, FileRow>) => {
  const lost = countLostNumbers(changes, file);
  const warnings = [...lost].map(([name, { rows, isJson }]): Marked => {
    const advice = isJson
      ? 'write it without quotation marks'
      : `title the column ${toVisible(toTitle(name, 'number'))}`;
    return [
      `${quote(name)} is a number in ${countOf(rows, 'row')} of the list and becomes a text. To keep it a number, ${advice}.`,
    ];
  });
  const notices = findTextsThatAreNumbers(file)
    .filter((name) => !lost.has(name) && changes.some((change) => isNewText(change, name)))
    .map(
      (name) =>
        `The column ${quote(name)} has only numbers, but they are read as texts. To read them as numbers, title the column ${toVisible(toTitle(name, 'number'))}.`,
    );
  return { warnings, notices };
};

const isNewText = ({ before, after }: RowChange, name: string) =>
  attributeOf(before, name) === undefined && attributeOf(after, name)?.S !== undefined;

const countLostNumbers = (changes: readonly RowChange[], file: ReadonlyMap<string, FileRow>) => {
  const lost = new Map<string, { rows: number; isJson: boolean }>();
  for (const { identifier, before, after } of changes) {
    const isJson = file.get(identifier)?.unit === 'entry';
    const names = Object.keys(before).filter(
      (name) => attributeOf(before, name)?.N !== undefined && attributeOf(after, name)?.S !== undefined,
    );
    for (const name of names) lost.set(name, { rows: 1 + (lost.get(name)?.rows ?? 0), isJson });
  }
  return lost;
};

const findTextsThatAreNumbers = (file: ReadonlyMap<string, FileRow>) => {
  const areNumbers = new Map<string, boolean>();
  for (const { unit, attributes } of file.values()) {
    if (unit === 'entry') return [];
    for (const [name, { S }] of Object.entries(attributes)) {
      if (areNumbers.get(name) !== false) areNumbers.set(name, S !== undefined && looksLikeNumber(S));
    }
  }
  return [...areNumbers].filter(([, areAllNumbers]) => areAllNumbers).map(([name]) => name);
};

const looksLikeNumber = (text: string) => {
  const decimal = text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.';
  return 'digits' in readNumber(text, { decimal, isChosen: true });
};
