import { useReducer, useState } from 'preact/hooks';
import { parametersOf } from '../../../stock/sql/parameters.ts';
import type { QueryHelp } from '../../api.ts';
import { Field, Notice } from '../components/controls.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { changeAddress, hrefWith, pick, useRoute } from '../route.ts';
import { useResponse } from '../use-response.ts';
import { StockContext, useStock } from '../use-stock.ts';

/** What is typed, and the query in the address before. Not in the state of the page, so that it survives another moment. */
let typed = { sql: '', text: '' };

/**
 * The shared queries with their fields, and the editor for any query. The query is in the address. Any website may link to this address,
 * so the query runs only when a person says so.
 */
export const ReportsPage = () => {
  const { parameters, segments } = useRoute();
  const addressSql = parameters.get('sql') ?? '';
  const text = typed.sql === addressSql ? typed.text : addressSql;
  const [, redraw] = useReducer<number, void>((edits) => edits + 1, 0);
  const [{ ran, runs }, setRun] = useState({ ran: '', runs: 0 });
  const isOpen = ran === addressSql && addressSql !== '';
  const names = parametersOf(text).map((name) => `:${name}`);
  const { response } = useResponse<QueryHelp>('query/help');
  const { views, queries } = response ?? { views: [], queries: [] };
  const shared = queries.find(({ sql }) => sql === text);
  const isWritten = segments[0] === 'SQL' || (response !== undefined && text !== '' && !shared);
  const run = (sql: string) => {
    typed = { sql, text: sql };
    changeAddress(sql === addressSql ? {} : { sql, sort: undefined });
    // Runs the same query again, too, because its result may have changed.
    setRun({ ran: sql, runs: runs + 1 });
  };
  /** A query with parameters waits for their values. */
  const choose = (sql: string) => {
    if (parametersOf(sql).length === 0) return run(sql);
    typed = { sql: addressSql, text: sql };
    setRun({ ran: '', runs });
  };
  return (
    <>
      {!isWritten && shared && <h2>{titleOf(shared)}</h2>}
      <form
        hidden={!isWritten && !shared}
        onSubmit={(event) => {
          event.preventDefault();
          run(text);
        }}
      >
        {isWritten && (
          <SqlField
            text={text}
            onInput={(text) => {
              typed = { sql: addressSql, text };
              redraw();
            }}
            onRun={run}
          />
        )}
        {names.map((name, index) => (
          <Field key={name} label={name.slice(1)}>
            <input
              ref={isWritten || index > 0 ? null : focus}
              required
              value={parameters.get(name) ?? ''}
              onInput={({ currentTarget }) => {
                changeAddress({ [name]: currentTarget.value });
                setRun({ ran: '', runs });
              }}
            />
          </Field>
        ))}
        {names.map((name) => (
          <TextWithComma key={name} name={name.slice(1)} value={parameters.get(name) ?? ''} />
        ))}
        <button type="submit" class="primary">
          Run
        </button>{' '}
        {isOpen && (
          <button type="button" onClick={() => setRun({ ran: '', runs })}>
            Stop and clear
          </button>
        )}
      </form>
      {isOpen && <Result key={runs} />}
      <Offers {...{ views, queries, isWritten }} isChange={shared !== undefined} onChoose={choose} />
    </>
  );
};

type OffersProps = QueryHelp & { isWritten: boolean; isChange: boolean; onChoose: (sql: string) => void };

const Offers = ({ views, queries, isWritten, isChange, onChoose }: OffersProps) => (
  <aside>
    <h2>{isWritten ? 'Shared queries' : 'Choose a report'}</h2>
    <ul class="queries">
      {queries.map((query) => (
        <li key={query.name}>
          <button type="button" class="plain" onClick={() => onChoose(query.sql)}>
            {titleOf(query)}
          </button>
        </li>
      ))}
    </ul>
    {isWritten ? (
      <Manual views={views} />
    ) : (
      <a href={hrefWith({}, ['SQL'])}>{isChange ? 'Change it in SQL' : 'Write another one in SQL'}</a>
    )}
  </aside>
);

type SqlFieldProps = { text: string; onInput: (text: string) => void; onRun: (sql: string) => void };

const SqlField = ({ text, onInput, onRun }: SqlFieldProps) => (
  <Field label="Query in SQL. It can only read. To run it, press Control and Enter.">
    <textarea
      class="sql"
      rows={6}
      spellcheck={false}
      required
      value={text}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onRun(event.currentTarget.value);
      }}
    />
  </Field>
);

const focus = (input: HTMLInputElement | null) => input?.focus();

/** People fill in a parameter below the title. */
const titleOf = ({ title }: { title: string }) => title.replaceAll(/:\w+/g, '…');

const Manual = ({ views }: Pick<QueryHelp, 'views'>) => (
  <>
    <details>
      <summary>Views</summary>
      {views.map(({ name, columns }) => (
        <p key={name} class="small">
          <b>{name}</b>: {columns}
        </p>
      ))}
    </details>
    <p class="flow">
      <a href="api/query/manual" target="_blank" rel="noopener">
        Documentation
      </a>
    </p>
  </>
);

/** A code may have a comma, so the value stays a text. SQLite finds each text greater than each number, without an error. */
const TextWithComma = ({ name, value }: { name: string; value: string }) =>
  /^-?\d+,\d+$/.test(value) && (
    <Notice>
      The value of {name} is the text {value}. For a number, write {value.replace(',', '.')}.
    </Notice>
  );

/** Keeps the state of the stock. A new state would run the query again, which may take a minute. */
const Result = () => {
  const { parameters } = useRoute();
  const [stock] = useState(useStock());
  return (
    <StockContext.Provider value={stock}>
      <StockTable
        table="query"
        query={pick(parameters, [
          'sql',
          'at',
          ...parametersOf(parameters.get('sql') ?? '').map((name) => `:${name}` as const),
        ])}
        caption="Result of the query"
        noun={['row', 'rows']}
      />
    </StockContext.Provider>
  );
};
