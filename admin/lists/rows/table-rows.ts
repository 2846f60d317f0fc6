import { tables } from '../../../shared/tables.ts';
import { removeGuard } from '../../text/guard-cells.ts';
import { type Message, message } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';
import { describeReadings, isAmbiguous, type NumberStyle } from '../values/read-number.ts';
import type { ReadTarget } from './collect-rows.ts';
import type { Issues, Place } from './issues.ts';
import { type FileCell, isBlank, readCell, readCells, structureIssue } from './table-cells.ts';
import { type Header, readHeader } from './table-header.ts';

export const createTableReader = (
  { name, rows, issues }: ReadTarget,
  { style, separator = '' }: { style: NumberStyle; separator?: string },
) => {
  let tableHeader: Header | undefined;
  const { partitionKey } = tables[name];
  const numbersAsKeys: number[] = [];
  const evidence = collectEvidence(style, issues);

  const readRow = (cells: readonly FileCell[], place: Place, header: Header) => {
    const addIssue = (detail: Message) => issues.add(place, detail);
    const wrongStructure = structureIssue(cells, header, separator);
    if (wrongStructure) return addIssue(wrongStructure);
    const keyCell = cells[header.keyIndex] ?? '';
    if (typeof keyCell === 'number') numbersAsKeys.push(keyCell);
    const identifier = readCell(keyCell, 'text', style);
    const row = readCells(header, { cells, style, addIssue });
    if ('issues' in identifier)
      for (const detail of identifier.issues) addIssue(message`column ${quote(partitionKey)}: ${detail}`);
    else rows.add(identifier.value.S ?? '', { ...place, ...row });
  };

  return {
    read: (row: readonly FileCell[], place: Place) => {
      if (row.every(isBlank)) return;
      const cells = row.map((cell) => (typeof cell === 'string' ? removeGuard(cell) : cell));
      if (tableHeader) {
        readRow(cells, place, tableHeader);
        evidence.note(cells, place, tableHeader);
        return;
      }
      const addIssue = (detail: Message) => issues.add(place, detail);
      for (const cell of cells) if (typeof cell === 'object') addIssue(cell.issue);
      const texts = cells.map((cell) => (typeof cell === 'object' ? '' : String(cell)));
      tableHeader = readHeader(texts, name, { addIssue, notices: issues.notices });
    },
    finish: (place: Place) => {
      if (!tableHeader) issues.add(place, 'there is no row of titles');
      evidence.addIssues();
      if (numbersAsKeys.length === 0) return;
      issues.notices.push(
        `${countOf(numbersAsKeys.length, `${partitionKey} is a number`, `${partitionKey}s are numbers`)}, such as ${numbersAsKeys[0]}. If zeros in front are missing, format the column as text and type it again.`,
      );
    },
  };
};

type Evidence = { comma?: string; hasPoint?: true; ambiguous?: { place: Place; text: string } };

const addEvidence = (evidence: Evidence, text: string, place: Place) => {
  if (text.includes(',')) evidence.comma ??= text;
  else if (isAmbiguous(text)) evidence.ambiguous ??= { place, text };
  else if (text.includes('.')) evidence.hasPoint = true;
};

/** If semicolons suggest a decimal comma, the other numbers of a column show whether a point is a decimal point or groups thousands. */
const collectEvidence = ({ decimal, isChosen }: NumberStyle, issues: Issues) => {
  const evidence = new Map<string, Evidence>();

  const noteCells = (cells: readonly FileCell[], place: Place, { columns }: Header) => {
    for (const [index, { title, kind }] of columns.entries()) {
      const text = cells[index];
      if (kind !== 'number' || typeof text !== 'string') continue;
      const ofColumn = evidence.get(title) ?? {};
      evidence.set(title, ofColumn);
      addEvidence(ofColumn, text, place);
    }
  };

  const addIssues = () => {
    for (const [title, { comma, hasPoint, ambiguous }] of evidence) {
      if (!ambiguous || (hasPoint && !comma)) continue;
      const beside = comma ? `; the column also has ${quote(comma)}` : '';
      const { place, text } = ambiguous;
      issues.add(place, message`column ${quote(title)}: ${quote(text)} ${describeReadings(text)}${beside}`);
    }
  };

  return { note: isChosen || decimal === '.' ? () => {} : noteCells, addIssues };
};
