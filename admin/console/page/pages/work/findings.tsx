import { listScopes, nameOfScope } from '../../../../stock/scope.ts';
import type { AddressTexts } from '../../../addresses.ts';
import { AddToList } from '../../components/add-to-list.tsx';
import { type CellViews, titleOf } from '../../components/cells.tsx';
import { Chip, Waiting } from '../../components/controls.tsx';
import { ChoiceField, PrintedFilter, SearchField, useKinds } from '../../components/filters.tsx';
import { StockTable } from '../../components/stock-table.tsx';
import { formatNumber, formatTime } from '../../format.ts';
import { changeAddress, hrefTo, pick, useRoute } from '../../route.ts';
import { type Cells, useStock } from '../../use-stock.ts';
import { Cards, cardsWith } from './cards.tsx';
import { useWorkList } from './overview.tsx';

/** A chip counts within these filters, so it says what a click on it shows. */
const FILTERS = ['search', 'scope', 'state', 'severity', 'material'] as const;

/** The list of work with filters. The single findings are shown for one kind of a warehouse or of a list, for a search, and for a material. */
export const FindingsPage = () => {
  const { parameters } = useRoute();
  const { warehouses, nameOf } = useStock();
  const { response: kinds = [] } = useKinds(FILTERS);
  const filter = pick(parameters, ['at', 'kind', ...FILTERS]);
  const { kind: chosen } = filter;
  const isSearch = Boolean(filter.search || filter.material);
  return (
    <>
      <search class="filters">
        <SearchField placeholder="Code, order, warehouse or words" />
        <ChoiceField
          name="scope"
          label="Warehouse or list"
          noValue="All"
          values={[...warehouses, ...listScopes]}
          nameOf={(scope) => nameOfScope(scope, nameOf)}
        />
        <ChoiceField name="severity" label="Severity" noValue="All" values={['error', 'warning', 'note']} />
        <ChoiceField name="state" label="State" noValue="All" values={['open', 'told', 'known']} />
      </search>
      <fieldset class="flow chips">
        <legend class="hidden">Kind of finding</legend>
        {kinds.map(({ kind, severity, count }) => (
          <Chip
            key={kind}
            isPressed={kind === chosen}
            onClick={() => changeAddress({ kind: kind === chosen ? undefined : kind })}
          >
            <span class={`severity ${severity}`}>{titleOf(kind)}</span>{' '}
            <span class="soft">{formatNumber(count)}</span>
          </Chip>
        ))}
      </fieldset>
      {!isSearch && <FilteredCards {...filter} />}
      {(isSearch || (filter.scope && chosen)) && (
        <StockTable
          table="findings"
          query={filter}
          caption="Findings of the check"
          noun={['finding', 'findings']}
          headColumn="Subject"
          viewOf={({ name }) => views[name]}
          isHidden={({ name }) => name === 'Count'}
        />
      )}
    </>
  );
};

const FilteredCards = (filter: AddressTexts) => {
  const { scope, kind, severity, state } = filter;
  const { response, ...reading } = useWorkList();
  if (!response) return <Waiting response={response} {...reading} />;
  const ofScope = response.cards.filter((card) => card.scope === (scope || card.scope));
  const cards = cardsWith(
    ofScope,
    (concern) =>
      concern.kind === (kind || concern.kind) &&
      concern.severity === (severity || concern.severity) &&
      concern.state === (state || concern.state),
  );
  return (
    <>
      <PrintedFilter query={filter} />
      {cards.length > 0 ? <Cards cards={cards} /> : <p>Nothing was found.</p>}
    </>
  );
};

const views: CellViews = {
  Kind: ({ Kind }) => titleOf(String(Kind)),
  Subject: (cells) => {
    const { name, href } = subjectOf(cells);
    return (
      <span>
        <a href={href}>{name}</a> <AddUnlisted {...cells} />
      </span>
    );
  },
};

type FindingCell = { data: { others?: number; from?: string } };
const dataOf = ({ Detail }: Cells) => {
  const { data }: FindingCell = JSON.parse(String(Detail));
  return data;
};

/** A row that stands for others has no code to add. */
export const AddUnlisted = (cells: Cells) =>
  dataOf(cells).others === undefined && (
    <AddToList kind={String(cells['Kind'])} subject={String(cells['Subject'])} />
  );

/** The page of the batch, material or row of a list that a finding is about. If a row stands for other findings, those of their kind. */
export const subjectOf = (cells: Cells) => {
  const { Client: client } = cells;
  const [kind, subject] = [String(cells['Kind']), String(cells['Subject'])];
  const { others, from } = dataOf(cells);
  if (others !== undefined)
    return { name: `${formatNumber(others)} more`, href: hrefTo('findings', [], { kind }) };
  if (from === 'usual spelling') return { name: subject, href: hrefTo('materials', [], { unit: subject }) };
  const time = /^\d{4}-\d\d-\d\dT[^Z]+Z/.exec(subject);
  if (time && client) {
    const href = hrefTo('batches', [String(client), subject]);
    return { name: `Batch of ${formatTime(Date.parse(time[0]))}`, href };
  }
  if (['late', 'no-snapshot', 'refused-request'].includes(kind))
    return { name: subject, href: hrefTo('batches', [String(client ?? subject)]) };
  if (kind.endsWith('-order'))
    return { name: subject, href: hrefTo('lists', ['orders'], { search: subject }) };
  return { name: subject, href: hrefTo('materials', [subject]) };
};
