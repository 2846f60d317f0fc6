import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
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

/** Draws only the visible rows, and a few above and below. */
export const DataTable = <TRow,>({ caption, columns, rows, sort, onSort, classOf }: Props<TRow>) => {
  const box = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.length, MAX_ROWS);
  const virtualizer = useVirtualizer(box, count);
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const titles = columns.map(({ title }) => title).join();
  useFirstRows(box, virtualizer, `${titles} ${virtualizer.scrollRect?.width} ${items.length > 0}`);
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  const sortBy = (by: string) => {
    box.current?.scrollTo({ top: 0 });
    onSort?.({ by, isDescending: by === sort?.by && !sort.isDescending });
  };
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
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ title, kind, sort: by }) => (
                <th
                  key={by ?? title}
                  scope="col"
                  class={kind}
                  aria-sort={by !== undefined && by === sort?.by ? direction : undefined}
                >
                  {by !== undefined && onSort ? (
                    <button type="button" class="sort" onClick={() => sortBy(by)}>
                      {title}
                    </button>
                  ) : (
                    title
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {above > 0 && <tr style={{ height: `${above}px` }} />}
            {items.map(({ index }) => {
              const row = rows.at(index);
              return row === undefined ? null : (
                <tr
                  key={index}
                  class={`entry ${classOf?.(row) ?? ''}`}
                  data-index={index}
                  aria-rowindex={index + 2}
                  ref={virtualizer.measureElement}
                >
                  {columns.map(({ title, kind, sort, cell }) =>
                    kind === 'head' ? (
                      <th key={sort ?? title} scope="row">
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={sort ?? title} class={kind ?? 'text'} data-label={title}>
                        {cell(row)}
                      </td>
                    ),
                  )}
                </tr>
              );
            })}
            {below > 0 && <tr style={{ height: `${below}px` }} />}
          </tbody>
        </table>
      </section>
      {rows.length > MAX_ROWS && (
        <p class="soft small">
          The first {grouped(MAX_ROWS)} of {grouped(rows.length)} rows. Search, filter or sort to see others.
        </p>
      )}
    </>
  );
};

type Box = { current: HTMLDivElement | null };
type RowVirtualizer = Virtualizer<HTMLDivElement, HTMLTableRowElement>;

const useVirtualizer = (box: Box, count: number) => {
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
  const [virtualizer] = useState((): RowVirtualizer => new Virtualizer(options));
  virtualizer.setOptions({ ...options, estimateSize: virtualizer.options.estimateSize });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
};

/**
 * Keeps the column widths of the first rows, so that no column jumps while the table scrolls. Expects other rows to have
 * their usual height, because each different height makes the table compute all positions again.
 */
const useFirstRows = (box: Box, virtualizer: RowVirtualizer, reason: string) => {
  useLayoutEffect(() => {
    const table = box.current?.querySelector('table');
    if (!table) return;
    const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
    table.classList.remove('fixed');
    for (const { style } of heads) style.width = '';
    const widths = heads.map(({ clientWidth }) => `${clientWidth}px`);
    for (const [index, { style }] of heads.entries()) style.width = widths[index] ?? '';
    table.classList.add('fixed');
    const rows = Array.from(table.querySelectorAll<HTMLElement>('.entry'), (row) => row.offsetHeight);
    const height = rows.sort((one, other) => one - other)[Math.floor(rows.length / 2)];
    if (height === undefined || height === virtualizer.options.estimateSize(0)) return;
    virtualizer.options.estimateSize = () => height;
    virtualizer.measure();
  }, [box, reason]);
};
