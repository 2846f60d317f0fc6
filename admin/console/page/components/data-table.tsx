import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { flushSync } from 'preact/compat';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { counted, grouped } from '../../../cli/words.ts';

export type Column<TRow> = {
  title: string;
  cell: (row: TRow) => ComponentChildren;
  /** `head` names the row, `number` is aligned to the right, `prose` is wide. */
  kind?: 'head' | 'number' | 'word' | 'prose';
  /** The name of the order in `sort`. Without it, the title does not sort. */
  sort?: string;
};

export type Sort = { by: string; isDescending: boolean };

type Props<TRow> = {
  /** Says what the table holds. Only screen readers show it. */
  caption: string;
  columns: readonly Column<TRow>[];
  rows: { readonly length: number; at(index: number): TRow | undefined };
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** A class of the row, such as `below`. */
  classOf?: (row: TRow) => string;
};

/** Firefox draws nothing beyond 17 million pixels. */
const MAX_ROWS = 400_000;
const ROW_HEIGHT = 40;
/** More would be hundreds of sheets of paper. */
const MAX_PRINTED_ROWS = 2_000;

/** A table that draws only the rows in sight, and a few above and below. */
export const DataTable = <TRow,>({ caption, columns, rows, sort, onSort, classOf }: Props<TRow>) => {
  const box = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.length, MAX_ROWS);
  const isPrinted = usePrint();
  const virtualizer = useVirtualizer(box, count);
  const items = isPrinted ? [] : virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = isPrinted ? 0 : virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const shown = isPrinted
    ? Array.from({ length: Math.min(count, MAX_PRINTED_ROWS) }, (_, index) => index)
    : items.map(({ index }) => index);
  const titles = columns.map(({ title }) => title).join();
  useFirstRows(box, virtualizer, `${titles} ${virtualizer.scrollRect?.width} ${items.length > 0}`);
  const sortFromTop = (wanted: Sort) => {
    box.current?.scrollTo({ top: 0 });
    onSort?.(wanted);
  };
  const limit = isPrinted ? MAX_PRINTED_ROWS : MAX_ROWS;
  return (
    <>
      <section
        class="scroll"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
        tabIndex={0}
        aria-label={`${caption}, ${counted(rows.length, 'row')}`}
      >
        <table class="data" aria-rowcount={count + 1}>
          <colgroup>
            {columns.map((column) => (
              <col key={column.sort ?? column.title} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <Head
                  key={column.sort ?? column.title}
                  column={column}
                  sort={sort}
                  onSort={onSort && sortFromTop}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap height={above} />
            {shown.map((index) => {
              const row = rows.at(index);
              return row === undefined ? null : (
                <tr
                  key={index}
                  class={`entry ${classOf?.(row) ?? ''}`}
                  data-index={index}
                  aria-rowindex={index + 2}
                  ref={virtualizer.measureElement}
                >
                  {columns.map((column) => (
                    <Cell key={column.sort ?? column.title} column={column} row={row} />
                  ))}
                </tr>
              );
            })}
            <Gap height={below} />
          </tbody>
        </table>
      </section>
      {rows.length > limit && (
        <p class="soft small">
          The first {grouped(limit)} of {grouped(rows.length)} rows. Search, filter or sort to see others.
        </p>
      )}
    </>
  );
};

const Gap = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr>
      <td style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  ) : null;

type HeadProps<TRow> = { column: Column<TRow>; sort: Sort | undefined; onSort: Props<TRow>['onSort'] };

const Head = <TRow,>({ column: { title, kind, sort: by }, sort, onSort }: HeadProps<TRow>) => {
  const isSorted = by !== undefined && sort?.by === by;
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={kind === 'number' ? 'number' : ''} aria-sort={isSorted ? direction : undefined}>
      {by === undefined || onSort === undefined ? (
        title
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() => onSort({ by, isDescending: isSorted && !sort?.isDescending })}
        >
          {title}
        </button>
      )}
    </th>
  );
};

const Cell = <TRow,>({ column: { title, kind, cell }, row }: { column: Column<TRow>; row: TRow }) =>
  kind === 'head' ? (
    <th scope="row">{cell(row)}</th>
  ) : (
    <td class={kind ?? 'text'} data-label={title}>
      {cell(row)}
    </td>
  );

const useVirtualizer = (box: { current: HTMLDivElement | null }, count: number) => {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const options = {
    count,
    overscan: 8,
    estimateSize: () => ROW_HEIGHT,
    getScrollElement: () => box.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLTableRowElement>(options));
  virtualizer.setOptions({ ...options, estimateSize: virtualizer.options.estimateSize });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
};

type RowVirtualizer = Virtualizer<HTMLDivElement, HTMLTableRowElement>;

/**
 * Keeps the widths that suit the first rows, so that no column jumps while the table scrolls. Expects other
 * rows to be as high as most of these: each that is not costs a pass over the positions of all rows.
 */
const useFirstRows = (
  box: { current: HTMLDivElement | null },
  virtualizer: RowVirtualizer,
  reason: string,
) => {
  useLayoutEffect(() => {
    const table = box.current?.querySelector('table');
    const columns = [...(table?.querySelectorAll('col') ?? [])];
    const setWidths = (isFixed: boolean, widths: readonly number[]) => {
      table?.classList.toggle('fixed', isFixed);
      for (const [index, { style }] of columns.entries()) style.setProperty('--width', `${widths[index]}px`);
    };
    setWidths(false, []);
    setWidths(
      true,
      Array.from(table?.querySelectorAll('thead th') ?? [], ({ clientWidth }) => clientWidth),
    );
    const rows = Array.from(table?.querySelectorAll<HTMLElement>('.entry') ?? [], (row) => row.offsetHeight);
    const height = rows.sort((one, other) => one - other)[Math.floor(rows.length / 2)];
    if (height === undefined || height === virtualizer.options.estimateSize(0)) return;
    virtualizer.options.estimateSize = () => height;
    virtualizer.measure();
  }, [box, reason]);
};

/** Paper does not scroll, so that all rows are drawn for it. The browser does not wait for another turn. */
const usePrint = () => {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const media = matchMedia('print');
    const update = () => flushSync(() => setPrinted(media.matches));
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, []);
  return isPrinted;
};
