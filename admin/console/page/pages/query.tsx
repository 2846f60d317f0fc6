import { useReducer, useState } from 'preact/hooks';
import { parametersOf } from '../../../stock/sql/parameters.ts';
import type { QueryHelp } from '../../api.ts';
import { Field, Notice } from '../components/controls.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { changeAddress, pick, useRoute } from '../route.ts';
import { useResponse } from '../use-response.ts';
import { StockContext, useStock } from '../use-stock.ts';

/** What is typed, and the query in the address before. Not in the state of the page, so that it survives another moment. */
let typed = { sql: '', text: '' };

/** The query is in the address. Any website may link to this address, so the query runs only when a person says so. */
export const QueryPage = () => {
  const { parameters } = useRoute();
  const addressSql = parameters.get('sql') ?? '';
  const text = typed.sql === addressSql ? typed.text : addressSql;
  const [, redraw] = useReducer<number, void>((edits) => edits + 1, 0);
  const [{ ran, runs }, setRun] = useState({ ran: '', runs: 0 });
  const isOpen = ran === addressSql && addressSql !== '';
  const names = parametersOf(text).map((name) => `:${name}`);
  const { response: { views, queries } = { views: [], queries: [] } } = useResponse<QueryHelp>('query/help');
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(text);
        }}
      >
        <Field label="Query in SQL. It can only read. To run it, press Control and Enter.">
          <textarea
            class="sql"
            rows={6}
            spellcheck={false}
            required
            value={text}
            onInput={({ currentTarget }) => {
              typed = { sql: addressSql, text: currentTarget.value };
              redraw();
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(event.currentTarget.value);
            }}
          />
        </Field>
        {names.map((name) => (
          <Field key={name} label={name}>
            <input
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
          <TextWithComma key={name} name={name} value={parameters.get(name) ?? ''} />
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
      <aside>
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
        <h2>Queries</h2>
        <ul class="queries">
          {queries.map(({ name, title, sql }) => (
            <li key={name}>
              <button type="button" class="plain" onClick={() => choose(sql)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </aside>
    </>
  );
};

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
