import { Amount } from '../components/amount.tsx';
import { When } from '../components/controls.tsx';
import type { Column } from '../components/data-table.tsx';
import type { Model, Row } from '../model.ts';
import { hrefTo } from '../route.ts';

const LONGEST_TITLE = 20;

/** The first columns that an admin has stored. A material's own page has all. */
export const attributeColumns = <TRow extends Pick<Row, 'material'>>(
  model: Model,
  count: number,
): Column<TRow>[] =>
  model.data.materials.attributes.slice(0, count).map(({ name }, index) => ({
    title: name.length > LONGEST_TITLE ? `${name.slice(0, LONGEST_TITLE - 1)}…` : name,
    sort: `attribute-${index}`,
    cell: (row) => model.attributeOf(index, row),
  }));

export const movementColumns = (model: Model): Column<Row>[] => [
  {
    title: 'Latest change',
    kind: 'number',
    sort: 'change',
    cell: (row) => {
      const movement = model.movementOf(row);
      return movement && <Amount value={movement.by} decimals={model.decimals()} isChange />;
    },
  },
  {
    title: 'Changed',
    kind: 'word',
    sort: 'changed',
    cell: (row) => {
      const movement = model.movementOf(row);
      return movement && <When at={movement.at} />;
    },
  },
];

/** Each order leads to the materials that it is for. */
export const Orders = ({ orders }: { orders: string }) =>
  orders
    .split(' ')
    .filter(Boolean)
    .map((order) => (
      <a key={order} class="order" href={hrefTo('materials', [], { order })}>
        {order}
      </a>
    ));
