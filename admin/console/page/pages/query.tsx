import { useState } from 'preact/hooks';
import type { QueryHelp, QueryResult } from '../../api.ts';
import { Amount } from '../components/cells.tsx';
import { Field, Waiting } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { counted } from '../format.ts';
import { type PageProps, replaceQuery } from '../route.ts';
import { pathTo } from '../source.ts';
import { useResponse } from '../use-response.ts';

/**
 * A query in SQL. It is in the address, so that it can be kept and sent. It runs when a person says so, because a page of
 * others may lead to an address.
 */
export const QueryPage = ({ route: { query } }: PageProps) => {
  const asked = query.get('sql') ?? '';
  const [text, setText] = useState(asked);
  const [turn, setTurn] = useState(0);
  const { response: { views, examples } = { views: [], examples: [] } } =
    useResponse<QueryHelp>('query/help');
  const ask = (sql: string) => {
    setText(sql);
    replaceQuery({ sql });
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
        </button>
      </form>
      {turn > 0 && asked !== '' && (
        <Result key={turn} sql={asked} at={query.get('at')} onStop={() => setTurn(0)} />
      )}
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
    </>
  );
};

type Row = QueryResult['rows'][number];

type ResultProps = { sql: string; at: string | null; onStop: () => void };

const Result = ({ sql, at, onStop }: ResultProps) => {
  const { response, ...state } = useResponse<QueryResult>(pathTo(['query'], { sql, at }));
  if (!response) {
    return (
      <>
        <Waiting response={response} {...state} />
        {state.failure === undefined && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </>
    );
  }
  const { columns, rows, isCut } = response;
  const count = counted(rows.length, 'row');
  return (
    <>
      <p class="soft small" role="status">
        {isCut ? `The first ${count}. The download has all of them.` : count}
      </p>
      <DataTable caption="Result of the query" columns={columnsOf(columns, rows)} rows={rows} />
      <Download what="the result" path={['query']} query={{ sql, at }} />
    </>
  );
};

const columnsOf = (names: readonly string[], rows: readonly Row[]) =>
  names.map((title, index): Column<Row> => {
    const cell = ({ [index]: value = null }: Row) =>
      typeof value === 'number' ? <Amount value={value} /> : value;
    return { title, cell, kind: rows.some((row) => typeof row[index] === 'number') ? 'number' : 'word' };
  });
