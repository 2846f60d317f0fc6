import { tables } from '../../../shared/tables.ts';
import { removeGuard } from '../../text/guard-cells.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';
import { describeReadings, isAmbiguous, type NumberStyle } from '../values/decimal.ts';
import type { ReadTarget } from './collect-rows.ts';
import type { Issues, Place } from './issues.ts';
import {
  type Cell,
  type Header,
  isBlank,
  readCell,
  readCells,
  readHeader,
  structureIssue,
} from './table-columns.ts';

export const createTableReader = (
  { name, rows, issues }: ReadTarget,
  { style, separator = '' }: { style: NumberStyle; separator?: string },
) => {
  let header: Header | undefined;
  const { partitionKey } = tables[name];
  const numbersAsKeys: number[] = [];
  const evidence = collectEvidence(style, issues);

  const readRow = (cells: readonly Cell[], place: Place, header: Header) => {
    const issue = (detail: string) => issues.add(place, detail);
    const wrongStructure = structureIssue(cells, header, separator);
    if (wrongStructure) return issue(wrongStructure);
    const key = cells[header.keyIndex] ?? '';
    if (typeof key === 'number') numbersAsKeys.push(key);
    const identifier = readCell(key, 'text', style);
    const row = readCells(header, { cells, style, issue });
    if ('issues' in identifier)
      for (const detail of identifier.issues) issue(`column ${quote(partitionKey)}: ${detail}`);
    else rows.add(identifier.value.S ?? '', { ...place, ...row });
  };

  return {
    read: (given: readonly Cell[], place: Place) => {
      if (given.every(isBlank)) return;
      const cells = given.map((cell) => (typeof cell === 'string' ? removeGuard(cell) : cell));
      if (header) {
        readRow(cells, place, header);
        evidence.note(cells, place, header);
        return;
      }
      const issue = (detail: string) => issues.add(place, detail);
      for (const cell of cells) if (typeof cell === 'object') issue(cell.issue);
      const titles = cells.map((cell) => (typeof cell === 'object' ? '' : String(cell)));
      header = readHeader(titles, name, { issue, notice: issues.notice });
    },
    finish: (place: Place) => {
      if (!header) issues.add(place, 'there is no line with column titles');
      evidence.addIssues();
      if (numbersAsKeys.length === 0) return;
      issues.notice(
        `${countOf(numbersAsKeys.length, `${partitionKey} is a number`, `${partitionKey}s are numbers`)}, such as ${numbersAsKeys[0]}. If zeros in front are missing, format the column as text and type it again.`,
      );
    },
  };
};

type Evidence = { comma?: string; hasPoint?: true; doubtful?: { place: Place; text: string } };

const note = (known: Evidence, text: string, place: Place) => {
  if (text.includes(',')) known.comma ??= text;
  else if (isAmbiguous(text)) known.doubtful ??= { place, text };
  else if (text.includes('.')) known.hasPoint = true;
};

/** If nobody named the decimal comma, a point may be a decimal point or group thousands. */
const collectEvidence = ({ decimal, isChosen }: NumberStyle, issues: Issues) => {
  const evidence = new Map<string, Evidence>();

  const noteCells = (cells: readonly Cell[], place: Place, { columns }: Header) => {
    for (const [index, { title, kind }] of columns.entries()) {
      const text = cells[index];
      if (kind !== 'number' || typeof text !== 'string') continue;
      const known = evidence.get(title) ?? {};
      evidence.set(title, known);
      note(known, text, place);
    }
  };

  const addIssues = () => {
    for (const [title, { comma, hasPoint, doubtful }] of evidence) {
      if (!doubtful || (hasPoint && !comma)) continue;
      const beside = comma ? `; the column also has ${quote(comma)}` : '';
      const { place, text } = doubtful;
      issues.add(place, `column ${quote(title)}: ${quote(text)} ${describeReadings(text)}${beside}`);
    }
  };

  return { note: isChosen || decimal === '.' ? () => {} : noteCells, addIssues };
};
