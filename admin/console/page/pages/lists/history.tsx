import { useState } from 'preact/hooks';
import { type ListName, listNames, tables } from '../../../../../shared/tables.ts';
import type { AddressTexts } from '../../../addresses.ts';
import type { CellViews } from '../../components/cells.tsx';
import { Field, Notice, Person, When } from '../../components/controls.tsx';
import { ChoiceField, SearchField } from '../../components/filters.tsx';
import { StockTable } from '../../components/stock-table.tsx';
import type { Row } from '../../components/table-columns.tsx';
import { formatDay, formatSecond } from '../../format.ts';
import { changeAddress, hrefTo, hrefWith, pick, useRoute } from '../../route.ts';
import { isReadOnly } from '../../source.ts';
import { type Cells, useStock } from '../../use-stock.ts';
import { Review, type Undo } from './review.tsx';

const listOf = (name: unknown) => listNames.find((list) => list === name);
const titleOf = (name: unknown) => {
  const list = listOf(name);
  return list ? tables[list].list.title : String(name);
};

/** What was done, in the words of the page. */
const deeds: Record<string, string> = {
  import: 'import of a file',
  edit: 'edit in the console',
  remove: 'removal of rows',
  restore: 'restore from a table',
  undo: 'undo',
  outside: 'past these tools',
};

const FILTER = ['at', 'since', 'list', 'by', 'id', 'change', 'search'] as const;

export const HistoryPage = () => {
  const { parameters } = useRoute();
  const query = pick(parameters, FILTER);
  const hasRows = (query.id ?? query.change ?? '') !== '';
  return (
    <>
      <search class="filters">
        <SearchField placeholder={hasRows ? 'A part of a code or an order' : 'Who, what or which file'} />
        <SearchField name="id" label="Code or order" placeholder="Exactly as in the list" />
        <ChoiceField name="list" label="List" noValue="Both lists" values={listNames} nameOf={titleOf} />
        <SearchField name="by" label="Who" placeholder="A part of the name" />
        <Since since={query.since} />
      </search>
      <Beginnings />
      {hasRows ? (
        <>
          <p>
            <a href={hrefWith({ id: undefined, change: undefined, sort: undefined, page: undefined })}>
              All changes
            </a>
          </p>
          <StockTable
            {...{ table: 'listLines', query, caption: 'Changed rows', noun: ['line', 'lines'] }}
            headColumn="Row"
            viewOf={({ name }) => views[name]}
            isHidden={({ name }) => name === 'Change'}
          />
        </>
      ) : (
        <Changes query={query} />
      )}
    </>
  );
};

const Since = ({ since }: { since: string | null | undefined }) => (
  <Field label="Since">
    <input
      type="date"
      value={since ? formatDay(Date.parse(since)) : ''}
      onChange={({ currentTarget: { value } }) =>
        changeAddress({ since: value && new Date(`${value}T00:00`).toISOString() })
      }
    />
  </Field>
);

/** From when on the history of each list is known. */
const Beginnings = () => {
  const { lists, damage, historyFailure } = useStock();
  if (historyFailure !== undefined)
    return <Notice kind="error">The history of the lists cannot be read. {historyFailure}</Notice>;
  return (
    <>
      {damage.map((text) => (
        <Notice key={text} kind="error">
          {text}
        </Notice>
      ))}
      <p class="soft small">
        {lists.map(({ list, since }) => (
          <span key={list}>
            {since === null ? (
              `The ${titleOf(list)} have no known past. It begins with the next change here or by a command. `
            ) : (
              <>
                The history of the {titleOf(list)} begins at <When at={since} />.{' '}
              </>
            )}
          </span>
        ))}
      </p>
    </>
  );
};

const Changes = ({ query }: { query: AddressTexts }) => {
  const { refresh } = useStock();
  const [undo, setUndo] = useState<Undo & { list: ListName }>();
  const undoButton = ({ cells }: Row) => {
    const list = listOf(cells['List']);
    const title = `Undo the change of ${formatSecond(Number(cells['ChangedAt']))}`;
    return (
      list && (
        <button
          type="button"
          class="plain"
          aria-label={title}
          onClick={() => setUndo({ list, title, change: String(cells['Change']) })}
        >
          Undo
        </button>
      )
    );
  };
  return (
    <>
      <StockTable
        {...{ table: 'listChanges', query, caption: 'Changes of the lists', noun: ['change', 'changes'] }}
        viewOf={({ name }) => views[name]}
        isHidden={({ name }) => name === 'Change'}
        keyOf={({ List, Change }) => `${List} ${Change}`}
        moreColumns={isReadOnly ? [] : [{ title: 'Take back', kind: 'word', cell: undoButton }]}
      />
      {undo && (
        <Review
          command={tables[undo.list].list.command}
          identifierName={tables[undo.list].partitionKey}
          undo={undo}
          onWritten={refresh}
          onClose={() => setUndo(undefined)}
        />
      )}
    </>
  );
};

const timeOfId = (id: unknown) => formatSecond(Date.parse(String(id).slice(0, 24)));

const rowsOf = ({ List, Change }: Cells) =>
  hrefTo('history', [], { list: String(List), change: String(Change) });

const views: CellViews = {
  ChangedAt: (cells) => (
    <a href={rowsOf(cells)}>
      <When at={Number(cells['ChangedAt'])} format={formatSecond} />
    </a>
  ),
  List: ({ List }) => titleOf(List),
  By: ({ By }) => By && <Person by={String(By)} />,
  What: ({ What }) => String(What).replace(/^\w+/, (deed) => deeds[deed] ?? deed),
  Undoes: ({ List, Undoes }) =>
    Undoes && (
      <a href={hrefTo('history', [], { list: String(List), change: String(Undoes) })}>{timeOfId(Undoes)}</a>
    ),
  Row: ({ List, Row }) => <a href={hrefTo('history', [], { list: String(List), id: String(Row) })}>{Row}</a>,
  Before: ({ Before }) => Before !== null && <del>{Before}</del>,
};
