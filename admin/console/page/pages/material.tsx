import { useMemo } from 'preact/hooks';
import { severityOf } from '../../../check/finding.ts';
import { counted } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { StepChart, strokeOf } from '../charts/step-chart.tsx';
import { Amount } from '../components/amount.tsx';
import { When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import type { Model, Row } from '../model.ts';
import { hrefTo } from '../route.ts';
import { sumByUnit } from '../row-finder.ts';
import { balanceColumns, Change, HistoryNotes, rowColumns } from './material-columns.tsx';

export const MaterialPage = ({ model, route: { parts, query } }: PageProps) => {
  const { data } = model;
  const code = parts[0] ?? '';
  const rows = useMemo(() => model.rowsOf(code), [model, code]);
  const findings = data.findings.filter(({ subject }) => subject === code);
  const isListed = findings.some(({ kind }) => kind === 'no-balance');
  return (
    <div class="material">
      <p class="small">
        <a href={hrefTo('materials', [], Object.fromEntries(query))}>Back to the list</a>
      </p>
      {rows.length === 0 && (
        <p>
          {isListed && 'The list of codes has it, but no'}
          {!isListed && 'No'} warehouse reported a balance of {code} in this period.
        </p>
      )}
      <dl class="flow facts">
        {rows[0]?.attributes.map((value, index) => (
          <div key={index} hidden={value === ''}>
            <dt>{data.materials.attributes[index]?.name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {findings.length > 0 && (
        <ul class="findings" aria-label="Findings of the check">
          {findings.map(({ kind, client, detail }) => (
            <li key={`${kind} ${client}`}>
              <span class={`severity ${severityOf(kind)}`}>{severityOf(kind)}</span>
              <span>
                {client && <b>{client}: </b>}
                {detail}
              </span>
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <>
          <LatestBalances model={model} rows={rows} />
          <h2>History</h2>
          <HistoryNotes data={data} />
          <History model={model} rows={rows} />
          <Download what="the history" path={['history']} query={{ code, at: query.get('at') }} />
        </>
      )}
    </div>
  );
};

const LatestBalances = ({ model, rows }: { model: Model; rows: readonly Row[] }) => {
  const columns: Column<Row>[] = [
    {
      title: 'Warehouse',
      kind: 'head',
      cell: ({ client, clientIndex }) => (
        <span>
          <svg width="28" height="8" aria-hidden="true">
            <path d="M0 4H28" style={strokeOf(clientIndex)} />
          </svg>{' '}
          {client}
        </span>
      ),
    },
    ...rowColumns(model),
  ];
  return (
    <>
      <h2>Latest balances</h2>
      {sumByUnit(rows).map(({ unit, balance }) => (
        <p key={unit}>
          Total: <Amount value={balance} /> {unit}
        </p>
      ))}
      <DataTable caption="The latest balance in each warehouse" columns={columns} rows={rows} />
    </>
  );
};

const History = ({ model, rows }: { model: Model; rows: readonly Row[] }) => {
  const changes = rows
    .flatMap(({ client, points }) => points.map((point) => ({ ...point, client })))
    .sort((one, other) => other.at - one.at);
  const units = [...new Set(changes.map(({ unit }) => unit))];
  const columns: Column<(typeof changes)[number]>[] = [
    { title: 'Received', kind: 'head', cell: ({ at }) => <When at={at} /> },
    { title: 'Warehouse', kind: 'word', cell: ({ client }) => client },
    ...balanceColumns(model.decimals),
    { title: 'Change', kind: 'number', cell: ({ by }) => <Change by={by} decimals={model.decimals} /> },
  ];
  return (
    <>
      {units.map((unit) => (
        <figure key={unit} class="card">
          <figcaption>
            Balance in <bdi>{unit}</bdi>
          </figcaption>
          <StepChart unit={unit} rows={rows} until={model.data.asOf} />
        </figure>
      ))}
      <h3>Changes of the balance</h3>
      <p class="soft small">
        {counted(changes.length, 'row')}: the first and the latest report of each warehouse, and each change.
      </p>
      <DataTable caption="Changes of the balance, the newest first" columns={columns} rows={changes} />
    </>
  );
};
