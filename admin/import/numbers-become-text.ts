import { visible } from '../cli/text-table.ts';
import { counted } from '../cli/words.ts';
import { attributeOf } from '../lists/equals-in-api.ts';
import type { Plan } from '../lists/plan.ts';
import { toTitle } from './csv-columns.ts';
import { quote } from './faults.ts';
import type { FileRow } from './row-collector.ts';

/** Stored numbers that a file would make texts of, mostly for want of a title that says what they are. */
export const numbersBecomeText = ({ changed }: Plan, file: ReadonlyMap<string, FileRow>): string[] => {
  const found = new Map<string, { rows: number; isJson: boolean }>();
  for (const { identifier, before, after } of changed) {
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
