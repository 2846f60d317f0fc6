import { strFromU8, unzipSync } from 'fflate';
import { DAY_MS } from '../../shared/time.ts';

/** Reads a workbook by its XML: the cells of each sheet by their places, its frozen rows and its filter. */
export const readSheets = (content: Uint8Array) => {
  const parts = Object.entries(unzipSync(content)).map(([path, bytes]) => [path, strFromU8(bytes)] as const);
  const xmlOf = (path: string) => parts.find(([name]) => name === path)?.[1] ?? '';
  const [, styles = ''] = xmlOf('xl/styles.xml').split('<cellXfs');
  const formats = [...styles.matchAll(/<xf ([^>]*)>/g)].map(
    ([, xf = '']) => /numFmtId="(\d+)"/.exec(xf)?.[1] ?? '0',
  );
  const aligned = [...styles.matchAll(/<alignment ([^>]*)\/>/g)].map(([, alignment = '']) => alignment);
  const names = [...xmlOf('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name = '']) => name);
  return names.map((name, index) => {
    const xml = xmlOf(`xl/worksheets/sheet${index + 1}.xml`);
    const cells = [...xml.matchAll(/<c r="([A-Z]+\d+)"(?: s="(\d+)")?(?: t="(\w+)")?>(.*?)<\/c>/gs)].map(
      ([, place = '', style = '0', type = 'n', inner = '']) => {
        const text = inner.replaceAll(/<[^>]*>/g, '');
        return [
          place,
          type === 'n' ? { number: Number(text), format: formats[Number(style)] } : text,
        ] as const;
      },
    );
    return {
      name,
      cells: new Map(cells),
      frozenRows: Number(/<pane ySplit="(\d+)"[^>]* state="frozen"/.exec(xml)?.[1]),
      /** A width of one landscape page of A4, and any height. */
      fitsWidth:
        /<pageSetUpPr fitToPage="1"\/>.*<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/s.test(
          xml,
        ),
      /** What a print repeats on each page, and what it has if it has not all. */
      print: ['Print_Titles', 'Print_Area'].map(
        (kind) =>
          new RegExp(`_xlnm.${kind}" localSheetId="${index}">([^<]*)<`).exec(xmlOf('xl/workbook.xml'))?.[1],
      ),
      filter: /<autoFilter ref="([^"]*)"/.exec(xml)?.[1],
      /** Of the workbook, where LibreOffice looks for it. */
      filterName: new RegExp(`localSheetId="${index}" hidden="1">'${name}'!([^<]*)<`)
        .exec(xmlOf('xl/workbook.xml'))?.[1]
        ?.replaceAll('$', ''),
      /** The letters of columns whose numbers keep off the next column. */
      indented: [...xml.matchAll(/<col min="(\d+)" [^>]*style="(\d+)"/g)]
        .filter(([, , style]) => aligned[Number(style)]?.includes('horizontal="right" indent="1"'))
        .map(([, number]) => String.fromCharCode(64 + Number(number))),
      heights: new Map(
        [...xml.matchAll(/<row r="(\d+)" ht="(\d+)"/g)].map(([, row, height]) => [row, height]),
      ),
      widths: [...xml.matchAll(/<col [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width)),
    };
  });
};
type Sheet = ReturnType<typeof readSheets>[number];

type Cell = string | { number: number; format: string | undefined };

/** A time has the format of a time, and becomes its ISO text. */
const shownValue = (cell: Cell | undefined) => {
  if (typeof cell !== 'object') return cell;
  const { number, format } = cell;
  return format === '164' ? new Date(Math.round((number - 25_569) * DAY_MS)).toISOString() : number;
};

/** The cells of a column below its title. */
export const columnOf = (sheet: Sheet | undefined, title: string) => {
  const [head] = [...(sheet?.cells ?? [])].find(([, cell]) => cell === title) ?? [''];
  const [, letters = '', row = '0'] = /^([A-Z]+)(\d+)$/.exec(head) ?? [];
  const last = Number(/\d+$/.exec(sheet?.filter ?? '')?.[0]);
  return Array.from({ length: last - Number(row) }, (_, index) => {
    const cell = sheet?.cells.get(`${letters}${Number(row) + 1 + index}`);
    return shownValue(cell);
  });
};

/** The rows of a sheet, each with its cells from the first column on. */
export const rowsOf = (sheet: Sheet | undefined) =>
  [...Map.groupBy(sheet?.cells ?? [], ([place]) => place.replace(/^[A-Z]+/, '')).values()].map((inRow) => {
    const cells = new Map(inRow.map(([place, cell]) => [place.replace(/\d+$/, ''), shownValue(cell)]));
    return [...'ABCDEFGH'].map((letter) => cells.get(letter));
  });

/** All sheets as text: numbers and times as they are, and texts in quotation marks. */
export const showSheets = (content: Uint8Array) =>
  readSheets(content)
    .map(({ name, cells, frozenRows, fitsWidth, filter, filterName, widths, print, indented, heights }) => {
      const rows = Map.groupBy(cells, ([place]) => place.replace(/^[A-Z]+/, ''));
      const lines = [...rows].map(([row, inRow]) => {
        const shown = inRow.map(([place, cell]) => {
          const value = typeof cell === 'string' ? JSON.stringify(cell) : shownValue(cell);
          return `${place.replace(/\d+$/, '')} ${value}`;
        });
        const height = heights.get(row);
        return `${row}${height ? ` of height ${height}` : ''}: ${shown.join(' | ')}`;
      });
      const page = fitsWidth ? `one page wide, repeats ${print[0]}, ` : '';
      const head = `${page}frozen rows ${frozenRows}, filter ${filter} ${filterName}, widths ${widths.join(' ')}, indented ${indented.join(' ')}`;
      return [`${name}: ${head}`, ...lines, ''].join('\n');
    })
    .join('\n');
