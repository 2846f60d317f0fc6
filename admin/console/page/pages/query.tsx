import { useState } from 'preact/hooks';
import type { QueryExample, QueryResult } from '../../api.ts';
import { Amount } from '../components/cells.tsx';
import { Field, Notice, Waiting } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { counted } from '../format.ts';
import { type PageProps, replaceQuery } from '../route.ts';
import { pathTo } from '../source.ts';
import { useResponse } from '../use-response.ts';

/** A query in SQL over the views of docs/sql.md. It is in the address, so that it can be kept and sent. */
export const QueryPage = ({ route: { query } }: PageProps) => {
  const asked = query.get('sql') ?? '';
  const [text, setText] = useState(asked);
  const [turn, setTurn] = useState(0);
  const { response: examples = [] } = useResponse<QueryExample[]>('query/examples');
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
      {asked !== '' && <Result key={turn} sql={asked} at={query.get('at')} />}
      {examples.length > 0 && <h2>Examples</h2>}
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

const Result = ({ sql, at }: { sql: string; at: string | null }) => {
  const { response, ...state } = useResponse<QueryResult>(pathTo(['query'], { sql, at }));
  if (!response) return <Waiting response={response} {...state} />;
  const { columns, rows, isCut } = response;
  return (
    <>
      <p class="soft small" role="status">
        {counted(rows.length, 'row')}
      </p>
      {isCut && <Notice>Only the first rows are shown. The download has all of them.</Notice>}
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
