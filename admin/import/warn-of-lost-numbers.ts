import { visible } from '../cli/text-table.ts';
import { counted } from '../cli/words.ts';
import { attributeOf } from '../lists/compare-values.ts';
import type { RowChange } from '../lists/plan-import.ts';
import type { FileRow } from './collect-rows.ts';
import { toTitle } from './csv-columns.ts';
import { quote } from './faults.ts';

/** Warns of stored numbers that a file would turn into texts, often because a title lacks its `:number`. */
export const warnOfLostNumbers = (changes: readonly RowChange[], file: ReadonlyMap<string, FileRow>) => {
  const found = new Map<string, { rows: number; isJson: boolean }>();
  for (const { identifier, before, after } of changes) {
    const isJson = file.get(identifier)?.entry !== undefined;
    const lost = Object.keys(before).filter(
      (name) => attributeOf(before, name)?.N !== undefined && attributeOf(after, name)?.S !== undefined,
    );
    for (const name of lost) found.set(name, { rows: 1 + (found.get(name)?.rows ?? 0), isJson });
  }
  return [...found].map(([name, { rows, isJson }]) => {
    const advice = isJson
      ? 'write it without quotation marks'
      : `title the column ${visible(toTitle(name, 'number'))}`;
    return `${quote(name)} is a number in ${counted(rows, 'row')} of the list and becomes a text; ${advice} to keep it one.`;
  });
};
