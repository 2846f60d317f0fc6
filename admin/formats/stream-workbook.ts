import { strToU8, Zip, ZipDeflate } from 'fflate';
import { DAY_MS } from '../../shared/time.ts';
import type { Sink } from '../text/output.ts';
import { reader } from '../text/reader.ts';
import { onClockOf } from '../text/time.ts';

export const MAX_ROWS = 1_048_576;

export type SheetCell = string | number | boolean | Date | null;
export type SheetColumn = { title: string; width: number; format?: keyof typeof formats };
export type Sheet = {
  /** Excel refuses more than 31 characters, and two names that differ in letter case only. */
  name: string;
  columns: readonly SheetColumn[];
  preface?: readonly (readonly SheetCell[])[];
  rows: Iterable<readonly SheetCell[]>;
  hasFilter?: boolean;
  /** A print has only so many columns. Unless it is given, all. */
  printedColumns?: number;
};

/** Positions in `cellXfs`, the styles of the workbook. With `text`, Excel keeps the zeros when a person types 00123. */
const formats = {
  general: 0,
  text: 1,
  instant: 2,
  title: 3,
  change: 4,
  heading: 5,
  wrapped: 6,
  titleRight: 7,
  right: 8,
};
export const INSTANT_FORMAT = 'yyyy-mm-dd hh:mm:ss';

/** Excel stores a time as a number of days. 1970 begins with this number. */
const EPOCH = 25_569;
/** This level needs half of the time of the default level, and compresses almost as well. */
const COMPRESSION_LEVEL = 3;
const LINE_HEIGHT = 15;
const PIECE_CHARACTERS = 65_536;

/**
 * Writes an `.xlsx` file piece by piece, because the library hucre cannot add sheets or filters to a stream. Rows that
 * do not fit in a sheet continue in another sheet.
 */
export const streamWorkbook = async (sink: Sink, sheets: Iterable<Sheet>, maxRows = MAX_ROWS) => {
  const archive = createArchive(sink);
  const sheetsWritten: WrittenSheet[] = [];
  for (const sheet of sheets) {
    const rows = sheet.rows[Symbol.iterator]();
    // Each sheet is written, also without rows.
    for (let number = 1, next = rows.next(); number === 1 || !next.done; number += 1) {
      const name = number === 1 ? sheet.name : `${sheet.name} ${number}`;
      const part = archive.add(`xl/worksheets/sheet${sheetsWritten.length + 1}.xml`);
      const written = await writeSheet(part, sheet, { rows, next, maxRows });
      const { range, ...print } = written.print;
      sheetsWritten.push({ name, ...print, ...(sheet.hasFilter ? { range } : {}) });
      next = written.next;
    }
  }
  for (const [path, xml] of Object.entries(partsOf(sheetsWritten))) {
    const part = archive.add(path);
    await part.write(xml);
    await part.end();
  }
  await archive.end();
};

type RowSource = {
  rows: Iterator<readonly SheetCell[]>;
  next: IteratorResult<readonly SheetCell[]>;
  maxRows: number;
};
type ArchivePart = ReturnType<ReturnType<typeof createArchive>['add']>;

/** `range`, such as `$A$1:$C$9`, has the cells of the filter. A sheet without a filter has no `range`. */
type WrittenSheet = { name: string; range?: string; titleRow: number; printed?: string };

/** A person pages through so many rows of a print. */
const MAX_PRINTED_ROWS = 600;

/** Returns the range of the titles and the rows, and the first row that did not fit. */
const writeSheet = async (
  part: ArchivePart,
  { columns, preface = [], hasFilter = false, printedColumns = columns.length }: Sheet,
  source: RowSource,
) => {
  const titleRow = preface.length + 1;
  await part.write(sheetBeginning(columns, titleRow));
  for (const [index, cells] of preface.entries())
    await part.write(rowXml(index + 1, cells, () => (index === 0 ? 'heading' : 'general')));
  await part.write(
    rowXml(
      titleRow,
      columns.map(({ title }) => title),
      (index) => (isRight(columns[index]) ? 'titleRight' : 'title'),
    ),
  );
  const formatOf = (index: number) => columns[index]?.format ?? 'general';
  let { next } = source;
  let row = titleRow;
  // A sheet takes at least one row. Otherwise, with a small `maxRows`, new sheets would begin for ever.
  for (; !next.done && row < Math.max(source.maxRows, titleRow + 1); next = source.rows.next()) {
    row += 1;
    await part.write(rowXml(row, next.value, formatOf, heightOf(columns, next.value)));
  }
  const last = letters(columns.length - 1);
  const range = `$A$${titleRow}:$${last}$${row}`;
  const isCut = row > titleRow + MAX_PRINTED_ROWS;
  const lastPrinted = `$${letters(printedColumns - 1)}$${isCut ? titleRow + MAX_PRINTED_ROWS : row}`;
  const printed = isCut || printedColumns < columns.length ? { printed: `$A$1:${lastPrinted}` } : {};
  const filter = hasFilter ? `<autoFilter ref="${range.replaceAll('$', '')}"/>` : '';
  await part.write(`</sheetData>${filter}${ONE_PAGE_WIDE}${footerOf(isCut)}</worksheet>`);
  await part.end();
  return { next, print: { range, titleRow, ...printed } };
};

/** A print or a PDF would have the last columns on other pages. */
const ONE_PAGE_WIDE =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';
const CUT = `: the print has the first ${MAX_PRINTED_ROWS} rows, and the workbook has all`;
const footerOf = (isCut: boolean) =>
  `<headerFooter><oddFooter>&amp;L&amp;A${isCut ? CUT : ''}&amp;R&amp;P / &amp;N</oddFooter></headerFooter>`;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const sheetBeginning = (columns: readonly SheetColumn[], titleRow: number) => {
  const cols = columns.map(({ width, format = 'general' }, index) => {
    const number = index + 1;
    return `<col min="${number}" max="${number}" width="${width}" customWidth="1" style="${formats[format]}"/>`;
  });
  const pane = `<pane ySplit="${titleRow}" topLeftCell="A${titleRow + 1}" activePane="bottomLeft" state="frozen"/>`;
  return `${XML}<worksheet ${MAIN}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData>`;
};

const isRight = (column?: SheetColumn) => column?.format === 'right' || column?.format === 'change';

type FormatOf = (column: number) => keyof typeof formats;

/** A digit is wider than most letters. */
const LETTERS_A_DIGIT = 1.15;

/** LibreOffice does not fit the height of a row to its wrapped texts. */
const heightOf = (columns: readonly SheetColumn[], cells: readonly SheetCell[]) => {
  const lines = columns.map(({ format, width }, index) =>
    format === 'wrapped' ? Math.ceil(String(cells[index] ?? '').length / (width * LETTERS_A_DIGIT)) : 1,
  );
  const most = Math.max(...lines);
  return most > 1 ? ` ht="${most * LINE_HEIGHT}" customHeight="1"` : '';
};

const rowXml = (row: number, cells: readonly SheetCell[], formatOf: FormatOf, height = '') => {
  const cellsXml = cells.map((cell, index) => cellXml(`${letters(index)}${row}`, cell, formatOf(index)));
  return `<row r="${row}"${height}>${cellsXml.join('')}</row>`;
};

const cellXml = (reference: string, cell: SheetCell, format: keyof typeof formats) => {
  if (cell === null) return '';
  const style = formats[cell instanceof Date ? 'instant' : format];
  const start = `<c r="${reference}"${style === 0 ? '' : ` s="${style}"`}`;
  if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `${start} t="b"><v>${Number(cell)}</v></c>`;
  if (cell instanceof Date)
    return `${start}><v>${onClockOf(reader().timeZone, cell) / DAY_MS + EPOCH}</v></c>`;
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
};

/** A, B, …, Z, AA. */
const letters = (index: number): string =>
  `${index < 26 ? '' : letters(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A workbook escapes what XML cannot contain: U+0007 becomes `_x0007_`. A text that looks escaped is escaped, too. */
const escapeXml = (text: string) =>
  text
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow these characters
    .replaceAll(/[\0-\x08\v\f\r\x0e-\x1f\uFFFE\uFFFF]|\p{Cs}/gu, escapeCharacter)
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);

const escapeCharacter = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Without a font, LibreOffice takes a smaller one than that by which it measures columns. */
const xf = (attributes: string, more = '', font = 0) =>
  `<xf ${attributes} fontId="${font}" applyFont="1" applyAlignment="1"><alignment vertical="top"${more}/></xf>`;
const TEXT = 'numFmtId="49" applyNumberFormat="1"';
/** What follows to the right may begin at the left edge of its cell. LibreOffice indents no number with a format of its own, which has blanks. */
const RIGHT = ' horizontal="right" indent="1"';
/** In the order of `formats`. */
const XFS = [
  ...[xf('numFmtId="0"'), xf(TEXT), xf('numFmtId="164" applyNumberFormat="1"', ' horizontal="left"')],
  ...[xf('', '', 1), xf('numFmtId="165" applyNumberFormat="1"')],
  ...[xf('', '', 2), xf(TEXT, ' wrapText="1"')],
  ...[xf('', RIGHT, 1), xf('numFmtId="0"', RIGHT)],
].join('');

const partsOf = (written: readonly WrittenSheet[]) => {
  const each = (write: (number: number, name: string) => string) =>
    written.map(({ name }, index) => write(index + 1, name)).join('');
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const relationship = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${each((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${type}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets>${each((number, name) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets>${namesOf(written)}</workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((number) => relationship(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`))}${relationship('rIdStyles', 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="${escapeXml(INSTANT_FORMAT)}"/><numFmt numFmtId="165" formatCode="+0_)_);-0_)_);0_)_)"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="14"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="9">${XFS}</cellXfs></styleSheet>`,
  };
};

/** Without the first name, LibreOffice shows no filter. Each page of a print begins with the titles. */
const namesOf = (written: readonly WrittenSheet[]) => {
  const names = written.flatMap(({ name, range, titleRow, printed }, index) => {
    const nameXml = (kind: string, cells: string | undefined, more = '') => {
      const reference = escapeXml(`'${name.replaceAll("'", "''")}'!${cells}`);
      return cells === undefined
        ? ''
        : `<definedName name="_xlnm.${kind}" localSheetId="${index}"${more}>${reference}</definedName>`;
    };
    return [
      nameXml('_FilterDatabase', range, ' hidden="1"'),
      nameXml('Print_Area', printed),
      nameXml('Print_Titles', `$${titleRow}:$${titleRow}`),
    ];
  });
  return `<definedNames>${names.join('')}</definedNames>`;
};

/** Passes each compressed piece to the sink as soon as the piece is ready. */
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
      const part = new ZipDeflate(path, { level: COMPRESSION_LEVEL });
      zip.add(part);
      let text = '';
      return {
        write: async (xml: string) => {
          text += xml;
          if (text.length < PIECE_CHARACTERS) return;
          part.push(strToU8(text));
          text = '';
          await flush();
        },
        end: async () => {
          part.push(strToU8(text), true);
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
