import type { ComponentChildren } from 'preact';

export type Column<TRow> = {
  title: string;
  cell: (row: TRow) => ComponentChildren;
  /** `head` names the row. `number` is aligned to the right. A `word` breaks only if it has to, and `texts` break anywhere. */
  kind?: 'head' | 'number' | 'word' | 'texts';
  /** The name of the column in `sort`. Without a name, a click on the title does not sort. */
  name?: string;
};

type Props<TRow> = {
  /** The text for screen readers that says what the table holds. */
  caption: string;
  columns: readonly Column<TRow>[];
  rows: readonly TRow[];
  /** With a key, a row keeps its element and the focus in it when rows are added above. */
  keyOf?: (row: TRow) => string;
  /** The index of the first row in the whole table. */
  first?: number;
  /** The number of rows of the whole table. */
  count?: number | undefined;
  /** The name of a column, with - for a descending order. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** A class of the row, such as `removed`. */
  classOf?: (row: TRow) => string;
};

export const DataTable = <TRow,>(props: Props<TRow>) => {
  const { caption, columns, rows, keyOf, first = 0, count = rows.length, sort, onSort, classOf } = props;
  return (
    <section
      class="scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
      tabIndex={0}
      aria-label={caption}
    >
      <table class="data" aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.name ?? column.title} {...{ column, sort, onSort }} />
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
  column: Omit<Column<never>, 'cell'>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
};

const Heading = ({ column: { title, kind, name }, sort, onSort }: HeadingProps) => {
  if (name === undefined || !onSort) {
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    );
  }
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  return (
    <th scope="col" class={kind} aria-sort={direction}>
      <button type="button" class="sort" onClick={() => onSort(sort === name ? `-${name}` : name)}>
        {title}
      </button>
    </th>
  );
};

const RowCells = <TRow,>({ columns, row }: { columns: readonly Column<TRow>[]; row: TRow }) =>
  columns.map(({ title, kind, name = title, cell }) =>
    kind === 'head' ? (
      <th key={name} scope="row">
        {cell(row)}
      </th>
    ) : (
      <td key={name} class={kind ?? 'text'} data-label={title}>
        {cell(row)}
      </td>
    ),
  );
