import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

export type Column<TRow> = {
  title: string;
  cell: (row: TRow) => ComponentChildren;
  /** `head` names the row, `number` is aligned to the right, `prose` is wide. */
  kind?: 'head' | 'number' | 'word' | 'prose';
  /** The name of the order in `sort`. Without it, the title does not sort. */
  sort?: string;
};

type Props<TRow> = {
  /** Says what the table holds. Only screen readers show it. */
  caption: string;
  columns: readonly Column<TRow>[];
  rows: readonly TRow[];
  /** Keeps a row, with a cell that is edited, when others come before it. */
  keyOf?: (row: TRow) => string;
  /** The place of the first row in the whole table, and how many rows that has. */
  first?: number;
  count?: number | undefined;
  /** The name of a column, with - for a descending order. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** A class of the row, such as `removed`. */
  classOf?: (row: TRow) => string;
};

export const DataTable = <TRow,>(props: Props<TRow>) => {
  const { caption, columns, rows, keyOf, first = 0, count = rows.length, sort, onSort, classOf } = props;
  const box = useRef<HTMLElement>(null);
  const sortBy = (sort: string) => {
    box.current?.scrollTo({ top: 0 });
    onSort?.(sort);
  };
  return (
    <section
      class="scroll"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
      tabIndex={0}
      aria-label={caption}
    >
      <table class="data" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.sort ?? column.title} {...{ column, sort }} onSort={onSort && sortBy} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf?.(row) ?? index}
              class={`entry ${classOf?.(row) ?? ''}`}
              aria-rowindex={first + index + 2}
            >
              <RowCells {...{ columns, row }} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

type HeadingProps = {
  column: Pick<Column<never>, 'title' | 'kind' | 'sort'>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
};

const Heading = ({ column: { title, kind, sort: by }, sort, onSort }: HeadingProps) => {
  if (by === undefined || !onSort) {
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    );
  }
  const direction = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  return (
    <th scope="col" class={kind} aria-sort={direction}>
      <button type="button" class="sort" onClick={() => onSort(sort === by ? `-${by}` : by)}>
        {title}
      </button>
    </th>
  );
};

const RowCells = <TRow,>({ columns, row }: { columns: readonly Column<TRow>[]; row: TRow }) =>
  columns.map(({ title, kind, sort, cell }) =>
    kind === 'head' ? (
      <th key={sort ?? title} scope="row">
        {cell(row)}
      </th>
    ) : (
      <td key={sort ?? title} class={kind ?? 'text'} data-label={title}>
        {cell(row)}
      </td>
    ),
  );
