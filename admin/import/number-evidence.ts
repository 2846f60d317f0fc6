import type { Cell } from '../formats/parse-workbook.ts';
import { describeReadings, isAmbiguous, type NumberStyle } from './decimal.ts';
import { type Faults, type Place, quote } from './faults.ts';
import type { Header } from './table-columns.ts';

type Evidence = { comma?: string; hasPoint?: true; doubtful?: { place: Place; text: string } };

const note = (known: Evidence, text: string, place: Place) => {
  if (text.includes(',')) known.comma ??= text;
  else if (isAmbiguous(text)) known.doubtful ??= { place, text };
  else if (text.includes('.')) known.hasPoint = true;
};

/** If nobody named the decimal comma, a point may be a decimal point or group thousands. */
export const collectEvidence = ({ decimal, isChosen }: NumberStyle, faults: Faults) => {
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

  const addFaults = () => {
    for (const [title, { comma, hasPoint, doubtful }] of evidence) {
      if (!doubtful || (hasPoint && !comma)) continue;
      const beside = comma ? `; the column also has ${quote(comma)}` : '';
      const { place, text } = doubtful;
      faults.add(place, `column ${quote(title)}: ${quote(text)} ${describeReadings(text)}${beside}`);
    }
  };

  return { note: isChosen || decimal === '.' ? () => {} : noteCells, addFaults };
};
