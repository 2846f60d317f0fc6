import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Sink } from '../text/output.ts';

/** Excel's limit. */
export const MAX_ROWS = 1_048_576;

export type SheetCell = string | number | boolean | Date | null;
export type SheetColumn = { title: string; width: number; format?: keyof typeof formats };
export type Sheet = {
  /** Excel refuses more than 31 characters, and two names that differ in letter case only. */
  name: string;
  columns: readonly SheetColumn[];
  /** Rows above the titles. */
  preface?: readonly (readonly SheetCell[])[];
  rows: Iterable<readonly SheetCell[]>;
  /** Buttons in the titles to filter by. */
  hasFilter?: boolean;
};

/** Places in the list of styles. A column of texts keeps the zeros when a person types 00123. */
const formats = { general: 0, text: 1, instant: 2, title: 3 };
export const INSTANT = 'yyyy-mm-dd hh:mm:ss" UTC"';

const DAY_MS = 86_400_000;
/** Days before 1970 on Excel's clock. */
const EPOCH = 25_569;
/** Compresses almost as well as the usual level, in half of the time. */
const LEVEL = 3;
const PIECE = 65_536;

/**
 * Writes an `.xlsx` file piece by piece, because hucre cannot add sheets or filters to a stream. A sheet that is too
 * long goes on in another one.
 */
export const streamWorkbook = async (sink: Sink, sheets: Iterable<Sheet>, maxRows = MAX_ROWS) => {
  const archive = createArchive(sink);
  const written: Written[] = [];
  for (const sheet of sheets) {
    const rows = sheet.rows[Symbol.iterator]();
    for (let part = 1, next = rows.next(); part === 1 || !next.done; part += 1) {
      const name = part === 1 ? sheet.name : `${sheet.name} ${part}`;
      const file = archive.add(`xl/worksheets/sheet${written.length + 1}.xml`);
      const { rest, table } = await writeSheet(file, sheet, { rows, next, maxRows });
      written.push({ name, ...(sheet.hasFilter ? { table } : {}) });
      next = rest;
    }
  }
  for (const [path, xml] of Object.entries(partsOf(written))) {
    const file = archive.add(path);
    await file.write(xml);
    await file.end();
  }
  await archive.end();
};

type Rest = {
  rows: Iterator<readonly SheetCell[]>;
  next: IteratorResult<readonly SheetCell[]>;
  maxRows: number;
};
type File = ReturnType<ReturnType<typeof createArchive>['add']>;

type CellPlace = { column: string; row: number };
type Written = { name: string; table?: { first: CellPlace; last: CellPlace } };

/** Returns where the table is, and the first row that did not fit. */
const writeSheet = async (file: File, { columns, preface = [], hasFilter = false }: Sheet, rest: Rest) => {
  const head = preface.length + 1;
  await file.write(beginningOf(columns, head));
  for (const [index, cells] of preface.entries()) await file.write(rowXml(index + 1, cells, () => 'general'));
  await file.write(
    rowXml(
      head,
      columns.map(({ title }) => title),
      () => 'title',
    ),
  );
  const formatOf = (index: number) => columns[index]?.format ?? 'general';
  let { next } = rest;
  let row = head;
  for (; !next.done && row < Math.max(rest.maxRows, head + 1); next = rest.rows.next()) {
    row += 1;
    await file.write(rowXml(row, next.value, formatOf));
  }
  const table = {
    first: { column: 'A', row: head },
    last: { column: letters(columns.length - 1), row },
  };
  const range = `A${head}:${table.last.column}${row}`;
  await file.write(`</sheetData>${hasFilter ? `<autoFilter ref="${range}"/>` : ''}</worksheet>`);
  await file.end();
  return { rest: next, table };
};

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const beginningOf = (columns: readonly SheetColumn[], head: number) => {
  const cols = columns.map(({ width, format = 'general' }, index) => {
    const place = index + 1;
    return `<col min="${place}" max="${place}" width="${width}" customWidth="1" style="${formats[format]}"/>`;
  });
  const pane = `<pane ySplit="${head}" topLeftCell="A${head + 1}" activePane="bottomLeft" state="frozen"/>`;
  return `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData>`;
};

type FormatOf = (column: number) => keyof typeof formats;

const rowXml = (row: number, cells: readonly SheetCell[], formatOf: FormatOf) => {
  const written = cells.map((cell, index) => cellXml(`${letters(index)}${row}`, cell, formatOf(index)));
  return `<row r="${row}">${written.join('')}</row>`;
};

const cellXml = (place: string, cell: SheetCell, format: keyof typeof formats) => {
  if (cell === null) return '';
  const style = formats[cell instanceof Date ? 'instant' : format];
  const start = `<c r="${place}"${style === 0 ? '' : ` s="${style}"`}`;
  if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `${start} t="b"><v>${Number(cell)}</v></c>`;
  if (cell instanceof Date) return `${start}><v>${cell.getTime() / DAY_MS + EPOCH}</v></c>`;
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
};

/** A, B, …, Z, AA. */
const letters = (index: number): string =>
  `${index < 26 ? '' : letters(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** In a workbook, `_x0041_` means A. XML has no other form of control characters. */
const escapeXml = (text: string) =>
  text
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow
    .replaceAll(/[\0-\x08\v\f\r\x0e-\x1f\uFFFE\uFFFF]|\p{Cs}/gu, escapeCharacter)
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const escapeCharacter = (sign: string) =>
  `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

const partsOf = (written: readonly Written[]) => {
  const each = (write: (place: number, name: string) => string) =>
    written.map(({ name }, index) => write(index + 1, name)).join('');
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const relationship = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${each((place) => `<Override PartName="/xl/worksheets/sheet${place}.xml" ContentType="${type}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${each((place, name) => `<sheet name="${escapeXml(name)}" sheetId="${place}" r:id="rId${place}"/>`)}</sheets>${filtersOf(written)}</workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((place) => relationship(`rId${place}`, 'worksheet', `worksheets/sheet${place}.xml`))}${relationship('rIdStyles', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="${escapeXml(INSTANT)}"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  };
};

/** Without these names, LibreOffice shows no filter. */
const filtersOf = (written: readonly Written[]) => {
  const filters = written.flatMap(({ name, table }, index) => {
    if (!table) return [];
    const [from, to] = [table.first, table.last].map(({ column, row }) => `$${column}$${row}`);
    const range = escapeXml(`'${name.replaceAll("'", "''")}'!${from}:${to}`);
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${range}</definedName>`;
  });
  return filters.length === 0 ? '' : `<definedNames>${filters.join('')}</definedNames>`;
};

/** Sends each compressed piece on at once. */
const createArchive = (sink: Sink) => {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const flush = async () => {
    for (const piece of pieces.splice(0)) await sink(piece);
  };
  return {
    add: (path: string) => {
      const file = new ZipDeflate(path, { level: LEVEL });
      zip.add(file);
      let text = '';
      return {
        write: async (xml: string) => {
          text += xml;
          if (text.length < PIECE) return;
          file.push(strToU8(text));
          text = '';
          await flush();
        },
        end: async () => {
          file.push(strToU8(text), true);
          await flush();
        },
      };
    },
    end: async () => {
      zip.end();
      await flush();
    },
  };
};
