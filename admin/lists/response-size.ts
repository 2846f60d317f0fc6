import { AnswerTooLarge, answerOk } from '../../shared/schemas/http-answer.ts';
import { MAX_FUNCTION_ANSWER_BYTES } from '../../shared/schemas/limits.ts';
import { type CatalogName, type CatalogRow, catalogs, toCatalogRow } from '../../shared/storage/catalog.ts';
import { Failure } from '../cli/failure.ts';
import { grouped } from '../cli/words.ts';
import type { CatalogItem } from '../store/catalog-writer.ts';

/** A file so many times past the limit is not even counted to its end. */
const HOPELESS = 4;

/** What the API's answer takes, counted row by row. */
export const answerMeter = (name: CatalogName) => {
  let bytes = Buffer.byteLength(JSON.stringify(answerOk({ [name]: [] })));
  let rows = 0;
  return {
    count: (row: CatalogRow) => {
      // The platform gets the answer as a string within JSON, without these quotes and with a comma between rows.
      bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(row))) - 2 + (rows > 0 ? 1 : 0);
      rows += 1;
    },
    taken: () => ({ bytes, rows }),
    isFull: () => bytes > MAX_FUNCTION_ANSWER_BYTES,
    isHopeless: () => bytes > HOPELESS * MAX_FUNCTION_ANSWER_BYTES,
  };
};

export type TooLong = { name: CatalogName; rows: number; bytes: number; what: string };

export const tooLong = (list: TooLong) => new Failure(`${tooLongInWords(list)} Nothing was written.`);

export const tooLongInWords = ({ name, rows, bytes, what }: TooLong) => {
  const fitting = Math.floor((rows * MAX_FUNCTION_ANSWER_BYTES) / bytes);
  return `${what} ${grouped(rows)} rows take ${grouped(bytes)} bytes of an answer, and the platform carries ${grouped(MAX_FUNCTION_ANSWER_BYTES)}: about ${grouped(fitting)} such rows fit in ${name}.`;
};

/** By how much a list is too long for the API, if it is: it would be of use to nobody. */
export const excessSize = (name: CatalogName, items: readonly CatalogItem[]): TooLong | undefined => {
  const rows = items.map((item) => toCatalogRow(catalogs[name].key, item));
  try {
    answerOk({ [name]: rows });
    return undefined;
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    const meter = answerMeter(name);
    for (const row of rows) meter.count(row);
    return { name, ...meter.taken(), what: 'The list would be too long for the API: its' };
  }
};
