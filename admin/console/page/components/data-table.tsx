import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { grouped } from '../../../cli/words.ts';

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

/** A table that draws only the rows in sight, and a few above and below. */
export const DataTable = <TRow,>({ caption, columns, rows, sort, onSort, classOf }: Props<TRow>) => {
  const box = useRef<HTMLDivElement>(null);
  const count = Math.min(rows.length, MAX_ROWS);
  const virtualizer = useVirtualizer(box, count);
  const items = virtualizer.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
      <section class="scroll" ref={box} tabIndex={0} aria-label={caption}>
        <table class="data" aria-rowcount={count + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <Head key={column.title} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap height={above} />
            {items.map(({ index, key }) => {
              const row = rows.at(index);
              return row === undefined ? null : (
                <tr
                  key={key}
                  class={`entry ${classOf?.(row) ?? ''}`}
                  data-index={index}
                  aria-rowindex={index + 2}
                  ref={virtualizer.measureElement}
                >
                  {columns.map((column) => (
                    <Cell key={column.title} column={column} row={row} />
                  ))}
                </tr>
              );
            })}
            <Gap height={below} />
          </tbody>
        </table>
      </section>
      {rows.length > count && (
        <p class="soft small">
          The first {grouped(count)} of {grouped(rows.length)} rows. Search, filter or sort to see others.
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
      {by === undefined ? (
        title
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() => onSort?.({ by, isDescending: isSorted && !sort?.isDescending })}
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
    <td class={kind ?? ''} data-label={title}>
      {cell(row)}
    </td>
  );

const useVirtualizer = (box: { current: HTMLDivElement | null }, count: number) => {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const options = {
    count,
    overscan: 12,
    estimateSize: () => ROW_HEIGHT,
    getScrollElement: () => box.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLTableRowElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
};
