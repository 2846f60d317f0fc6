import { useState } from 'preact/hooks';
import type { QueryHelp } from '../../api.ts';
import { Field } from '../components/controls.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { type PageProps, pick, replaceQuery } from '../route.ts';
import { useResponse } from '../use-response.ts';
import { StockContext, useStock } from '../use-stock.ts';

/**
 * A query in SQL. It is in the address, so that it can be kept and sent. It runs when a person says so, because a page of
 * others may lead to an address.
 */
export const QueryPage = ({ route: { query } }: PageProps) => {
  const asked = query.get('sql') ?? '';
  const [text, setText] = useState(asked);
  const [turn, setTurn] = useState(0);
  const isOpen = turn > 0 && asked !== '';
  const { response: { views, examples } = { views: [], examples: [] } } =
    useResponse<QueryHelp>('query/help');
  const ask = (sql: string) => {
    setText(sql);
    replaceQuery(sql === asked ? {} : { sql, sort: undefined });
    // The same query may have another result now.
    setTurn(turn + 1);
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(text);
        }}
      >
        <Field label="Query in SQL. It can only read. Control and Enter runs it.">
          <textarea
            class="sql"
            rows={6}
            spellcheck={false}
            required
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask(event.currentTarget.value);
            }}
          />
        </Field>
        <button type="submit" class="primary">
          Run
        </button>{' '}
        {isOpen && (
          <button type="button" onClick={() => setTurn(0)}>
            Stop and clear
          </button>
        )}
      </form>
      {isOpen && <Result key={turn} query={query} />}
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
        <h2>Examples</h2>
        <ul class="examples">
          {examples.map(({ title, sql }) => (
            <li key={title}>
              <button type="button" class="plain" onClick={() => ask(sql)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </aside>
    </>
  );
};

/** A change of the stock does not run the query again, because that may take a minute. */
const Result = ({ query }: { query: URLSearchParams }) => {
  const [stock] = useState(useStock());
  return (
    <StockContext.Provider value={stock}>
      <StockTable
        table="query"
        query={pick(query, ['sql', 'at'])}
        address={query}
        caption="Result of the query"
        noun={['row', 'rows']}
      />
    </StockContext.Provider>
  );
};
