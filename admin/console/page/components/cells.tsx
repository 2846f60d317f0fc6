import type { ComponentChildren } from 'preact';
import { nameOf, writeSentences } from '../../../stock/checks/kinds.ts';
import { fold } from '../../../stock/look-alikes.ts';
import { splitSearch } from '../../../stock/search.ts';
import { decimalSign, formatDifference, formatNumber } from '../format.ts';
import { hrefTo, useRoute } from '../route.ts';
import type { Query } from '../source.ts';
import { type Cells, useStock } from '../use-stock.ts';
import { Age, When } from './controls.tsx';

type AmountProps = {
  value: number | string;
  /** Leaves space for this many decimals, so that the decimal signs of a column are aligned. */
  decimals?: number;
  isDifference?: boolean;
};

export const Amount = ({ value, decimals = 0, isDifference = false }: AmountProps) => {
  const [whole, fraction] = (isDifference ? formatDifference(value) : formatNumber(value)).split(decimalSign);
  const isBelow = Number(value) < 0 && !isDifference;
  return (
    <span class={isBelow ? 'amount below' : 'amount'}>
      {whole}
      {(decimals > 0 || fraction !== undefined) && (
        <span class="fraction" style={`--decimals: ${decimals}`}>
          {fraction === undefined ? '' : `${decimalSign}${fraction}`}
        </span>
      )}
      {isBelow && <span class="hidden"> (below zero)</span>}
    </span>
  );
};

const MAX_DECIMALS = 3;

/** The decimals for which a column leaves space. A number with more decimals is not aligned. */
export const decimalsOf = (values: readonly (number | string | null)[]) => {
  const lengths = values.map((value) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0);
  return Math.min(MAX_DECIMALS, Math.max(0, ...lengths));
};

type LinkProps = { code: string; query?: Query };

/** Links to the page of a material. Marks a letter that only looks like a letter of the search. */
export const MaterialLink = ({ code, query = {} }: LinkProps) => {
  const isLookAlike = lookAlikeTest(code, useRoute().parameters.get('search') ?? '');
  return (
    <a href={hrefTo('materials', [code], query)}>
      {[...code].map((letter, index) =>
        isLookAlike(letter) ? <LookAlike key={index} letter={letter} /> : letter,
      )}
    </a>
  );
};

const LookAlike = ({ letter }: { letter: string }) => {
  const point = letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return <mark title={`Looks like another letter: ${letter} is U+${point}`}>{letter}</mark>;
};

const toCapitals = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();

/** Returns a function that tells whether a letter only looks like a letter of the search. */
const lookAlikeTest = (code: string, search: string) => {
  const words = splitSearch(search)
    .flat()
    .filter((word) => fold(code).includes(fold(word)) && !toCapitals(code).includes(toCapitals(word)));
  return (letter: string) =>
    words.some((word) => fold(word).includes(fold(letter)) && !toCapitals(word).includes(toCapitals(letter)));
};

/** Where a purchase order is and was used. */
export const hrefToUses = (order: string) => hrefTo('materials', [], { order, show: 'uses' });

const OrderLinks = ({ orders }: { orders: readonly string[] }) => (
  <span>
    {orders.flatMap((order) => [
      <a key={order} class="order" href={hrefToUses(order)}>
        {order}
      </a>,
      ' ',
    ])}
  </span>
);

export const sentenceOf = (part: 'detail' | 'advice', cell: unknown) => writeSentences(String(cell))[part];

/** `Half of the batch is missing` for `halved-snapshot`. */
export const titleOf = (kind: string) => {
  const name = nameOf(kind);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
};

/** Has how people call the client behind its name. */
export const ClientLink = ({
  client,
  href = hrefTo('batches', [client]),
}: {
  client: string;
  href?: string;
}) => {
  const name = useStock().nameOf(client);
  return (
    <span>
      <a href={href}>{client}</a> {name !== client && <span class="soft">{name}</span>}
    </span>
  );
};

export type CellView = (cells: Cells) => ComponentChildren;
export type CellViews = { [name: string]: CellView };

/** States of a client or of a batch. */
const BAD_STATES = new Set<unknown>(['late', 'locked', 'damaged']);

/** How the cells of these columns look unless a table has its own view. A cell without a value is empty. */
export const usualViews: CellViews = {
  MaterialCode: ({ MaterialCode }) => <MaterialLink code={String(MaterialCode)} />,
  PurchaseOrders: ({ PurchaseOrders }) =>
    PurchaseOrders && <OrderLinks orders={String(PurchaseOrders).split(' ')} />,
  Client: ({ Client }) => Client && <ClientLink client={String(Client)} />,
  ReceivedAt: ({ Client, SnapshotId, ReceivedAt }) => {
    const time = <When at={Number(ReceivedAt)} />;
    return SnapshotId ? <a href={hrefTo('batches', [String(Client), String(SnapshotId)])}>{time}</a> : time;
  },
  LastBatchAt: ({ LastBatchAt }) => (
    <span>
      <When at={Number(LastBatchAt)} /> <Age at={Number(LastBatchAt)} />
    </span>
  ),
  State: ({ State }) => <span class={BAD_STATES.has(State) ? 'mark severity error' : 'mark'}>{State}</span>,
  Severity: ({ Severity }) => <span class={`severity ${Severity}`}>{Severity}</span>,
};
