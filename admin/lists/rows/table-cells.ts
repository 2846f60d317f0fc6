import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { removeApostrophe } from '../../text/guard-cells.ts';
import { type Message, message } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';
import { fromFileJson } from '../values/file-values.ts';
import { HALF_PAIR, readJsonValue } from '../values/json-values.ts';
import { type NumberStyle, readNumber } from '../values/read-number.ts';
import type { Header } from './table-header.ts';
import type { HeaderColumn, ValueKind } from './titles.ts';

/** `''` is an empty cell. A cell with an issue has no usable value. */
export type FileCell = string | number | boolean | { issue: string };

export const isBlank = (cell: FileCell) => typeof cell === 'string' && cell.trim() === '';

type ReadResult = { value: AttributeValue } | { issues: readonly Message[] };

const BOOLEAN_ISSUE = { issues: ['the cell is true or false; end the title with :json to keep that value'] };

/** A spreadsheet keeps 15 digits, and replaces all later digits by 0. */
const FIRST_INEXACT = 1e15;
/** In the file, a computed number may have 17 digits: 0.1 + 0.2 is 0.30000000000000004. */
const toShownNumber = (cell: number) => Number(cell.toPrecision(15));
const INEXACT =
  'the number has more digits than a spreadsheet keeps; format the column as text and type it again';

/** A person who writes `Stahl` or `0,75` needs other words than one who forgot a bracket. */
const looksLikeText = (text: string) => !/^\s*["[{]/.test(text) && Number.isNaN(Number(text));
const NO_JSON =
  'is not JSON; put a text in quotation marks, write a number with a point, such as 7.85, and write true and false in small letters';

const readers: Record<ValueKind, (cell: string | number | boolean, style: NumberStyle) => ReadResult> = {
  text: (cell) => (typeof cell === 'boolean' ? BOOLEAN_ISSUE : { value: { S: String(cell) } }),
  number: (cell, style) => {
    if (typeof cell === 'boolean') return BOOLEAN_ISSUE;
    const number =
      typeof cell === 'number' ? readNumber(String(cell)) : readNumber(removeApostrophe(cell), style);
    return 'digits' in number
      ? { value: { N: number.digits } }
      : { issues: [message`${quote(String(cell))} is ${number.issue}`] };
  },
  json: (cell) => {
    const text = removeApostrophe(String(cell));
    const result = readJsonValue(text);
    if ('value' in result) return { value: fromFileJson(result.value) };
    return looksLikeText(text) ? { issues: [`${quote(text)} ${NO_JSON}`] } : result;
  },
};

export const readCell = (cell: FileCell, kind: ValueKind, style: NumberStyle): ReadResult => {
  if (typeof cell === 'object') return { issues: [cell.issue] };
  if (typeof cell === 'number' && Math.abs(cell) >= FIRST_INEXACT) return { issues: [INEXACT] };
  if (typeof cell === 'string' && !cell.isWellFormed()) return { issues: [HALF_PAIR] };
  return readers[kind](typeof cell === 'number' ? toShownNumber(cell) : cell, style);
};

export const structureIssue = (
  cells: readonly FileCell[],
  { keyIndex, columns, untitledCount }: Header,
  separator: string,
) => {
  if (cells[keyIndex] === columns[keyIndex]?.name)
    return 'this row has the titles again; remove this row, or the rows above it';
  const expected = columns.length;
  if (cells.length === expected) return undefined;
  const extraCell = cells.findIndex((cell, index) => index >= expected && !isBlank(cell));
  const extra = cells[extraCell];
  const counts = `the row has ${countOf(cells.length, 'cell')} and the titles ${expected}`;
  if (cells.length < expected) return counts;
  if (extra === undefined) return undefined;
  const content = typeof extra === 'object' ? 'is not empty' : `contains ${quote(String(extra))}`;
  return extraCell < expected + untitledCount
    ? `column ${extraCell + 1}: the cell ${content}, but the column has no title`
    : `${counts}; a cell that contains "${separator}" must be in quotation marks`;
};

type RowInput = { cells: readonly FileCell[]; style: NumberStyle; addIssue(detail: Message): void };

const EMPTY = { issues: [] };

/** An empty cell clears its attribute. */
export const readCells = ({ keyIndex, columns }: Header, { cells, style, addIssue }: RowInput) => {
  const attributes: [string, AttributeValue][] = [];
  const cleared: string[] = [];
  const readInto = (cell: FileCell, { name, kind, title }: HeaderColumn) => {
    const result = cell === '' ? EMPTY : readCell(cell, kind, style);
    if (result === EMPTY) cleared.push(name);
    else if ('value' in result) attributes.push([name, result.value]);
    else for (const detail of result.issues) addIssue(message`column ${quote(title)}: ${detail}`);
  };
  for (const [index, column] of columns.entries()) {
    if (index !== keyIndex) readInto(cells[index] ?? '', column);
  }
  return { attributes: Object.fromEntries(attributes), cleared };
};
