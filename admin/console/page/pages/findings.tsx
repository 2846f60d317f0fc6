import { titleOf, type Views } from '../components/cells.tsx';
import { Chip } from '../components/controls.tsx';
import { ChoiceField, SearchField, useChoices } from '../components/filters.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { formatNumber, formatTime } from '../format.ts';
import { hrefTo, type PageProps, pick, replaceQuery } from '../route.ts';
import type { ReadCell } from '../use-stock.ts';

export const FindingsPage = ({ route: { query } }: PageProps) => {
  const { warehouses, kinds } = useChoices(query.get('at'));
  const chosen = query.get('kind');
  return (
    <>
      <search class="filters">
        <SearchField query={query} placeholder="Code, order, warehouse or words" />
        <ChoiceField query={query} name="client" label="Warehouse" all="All warehouses" values={warehouses} />
        <ChoiceField
          query={query}
          name="severity"
          label="Severity"
          all="All"
          values={['error', 'warning', 'note']}
        />
      </search>
      <fieldset class="flow chips">
        <legend class="hidden">Kind of finding</legend>
        {kinds.map(({ kind, severity, count }) => (
          <Chip
            key={kind}
            isPressed={kind === chosen}
            onClick={() => replaceQuery({ kind: kind === chosen ? undefined : kind })}
          >
            <span class={`severity ${severity}`}>{titleOf(kind)}</span>{' '}
            <span class="soft">{formatNumber(count)}</span>
          </Chip>
        ))}
      </fieldset>
      <StockTable
        table="findings"
        query={pick(query, ['at', 'search', 'client', 'kind', 'severity', 'material'])}
        address={query}
        caption="Findings of the check"
        noun={['finding', 'findings']}
        headColumn="Subject"
        viewOf={({ name }) => views[name]}
      />
    </>
  );
};

const views: Views = {
  Kind: (cells) => titleOf(String(cells('Kind'))),
  Subject: (cells) => {
    const { name, href } = subjectOf(cells);
    return <a href={href}>{name}</a>;
  },
};

/** The page of the batch, material or row of a list that a finding is about. */
const subjectOf = (cells: ReadCell) => {
  const [kind, subject, client] = [String(cells('Kind')), String(cells('Subject')), cells('Client')];
  const time = /^\d{4}-\d\d-\d\dT[^Z]+Z/.exec(subject);
  if (time && client !== null) {
    const href = hrefTo('batches', [String(client), subject]);
    return { name: `Batch of ${formatTime(Date.parse(time[0]))}`, href };
  }
  if (kind === 'no-snapshot') return { name: subject, href: hrefTo('batches', [String(client ?? subject)]) };
  if (kind.endsWith('-order'))
    return { name: subject, href: hrefTo('lists', ['orders'], { search: subject }) };
  return { name: subject, href: hrefTo('materials', [subject]) };
};
