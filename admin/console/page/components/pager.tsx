import { PAGE_ROWS, type TablePage } from '../../api.ts';
import { countOf, formatNumber } from '../format.ts';
import { hrefWith } from '../route.ts';

export const MAX_PRINTED = 5_000;

type PagerProps = {
  caption: string;
  page: TablePage | undefined;
  count: number | undefined;
  pageName: string;
  number: number;
};

/** Links to the other pages. `number` is that of the address, whose rows may still be read. */
export const Pager = ({ caption, page, count, pageName, number }: PagerProps) => {
  const { rows, first, hasMore } = page ?? { rows: [], first: 0, hasMore: false };
  const lastNumber = count === undefined ? undefined : Math.max(1, Math.ceil(count / PAGE_ROWS));
  const hasAfter = lastNumber === undefined ? hasMore : number < lastNumber;
  if (!page || (number === 1 && !hasAfter)) return null;
  const links = [
    ['First rows', number > 1 && 1],
    ['Rows before', number > 1 && number - 1],
    ['Rows after', hasAfter && number + 1],
    ['Last rows', number !== lastNumber && lastNumber],
  ] as const;
  return (
    <>
      <span class="flow small">
        <span class="soft">
          {rows.length > 0
            ? `${formatNumber(first + 1)} to ${formatNumber(first + rows.length)}`
            : `There is no page ${formatNumber(number)}.`}
        </span>
        <nav class="flow" aria-label={`Pages: ${caption}`}>
          {links.map(([title, target]) => (
            <a
              key={title}
              {...(target
                ? { href: hrefWith({ [pageName]: target > 1 ? `${target}` : undefined }) }
                : { role: 'link', tabIndex: 0, 'aria-disabled': true })}
            >
              {title}
            </a>
          ))}
        </nav>
      </span>
      <p class="printed">
        These are {countOf(rows.length, 'row')} of the table. The button "Print these rows" prints up to{' '}
        {formatNumber(MAX_PRINTED)} rows.
      </p>
    </>
  );
};
