import { tables } from '../../shared/tables.ts';
import { counted } from '../cli/words.ts';
import { removeGuard } from '../formats/guard-cells.ts';
import type { Cell } from '../formats/parse-workbook.ts';
import type { ImportTarget } from './collect-rows.ts';
import type { NumberStyle } from './decimal.ts';
import { type Place, quote } from './faults.ts';
import { collectEvidence } from './number-evidence.ts';
import { type Header, isBlank, readCell, readCells, readHeader, structureFault } from './table-columns.ts';

export const createTableReader = (
  { name, rows, faults, notice }: ImportTarget,
  { style, separator = '' }: { style: NumberStyle; separator?: string },
) => {
  let header: Header | undefined;
  const { partitionKey } = tables[name];
  const numbersAsKeys: number[] = [];
  const evidence = collectEvidence(style, faults);

  const readRow = (cells: readonly Cell[], place: Place, header: Header) => {
    const fault = (detail: string) => faults.add(place, detail);
    const wrongStructure = structureFault(cells, header, separator);
    if (wrongStructure) return fault(wrongStructure);
    const key = cells[header.key] ?? '';
    if (typeof key === 'number') numbersAsKeys.push(key);
    const identifier = readCell(key, 'text', style);
    const row = readCells(header, { cells, style, fault });
    if ('faults' in identifier)
      for (const detail of identifier.faults) fault(`column ${quote(partitionKey)}: ${detail}`);
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
      const fault = (detail: string) => faults.add(place, detail);
      for (const cell of cells) if (typeof cell === 'object') fault(cell.fault);
      const titles = cells.map((cell) => (typeof cell === 'object' ? '' : String(cell)));
      header = readHeader(titles, name, { fault, notice });
    },
    finish: (place: Place) => {
      if (!header) faults.add(place, 'there is no line with column titles');
      evidence.addFaults();
      if (numbersAsKeys.length === 0) return;
      notice(
        `${counted(numbersAsKeys.length, `${partitionKey} is a number`, `${partitionKey}s are numbers`)}, such as ${numbersAsKeys[0]}. If zeros in front are missing, format the column as text and type it again.`,
      );
    },
  };
};
