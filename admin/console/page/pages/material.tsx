import { useMemo } from 'preact/hooks';
import { severityOf } from '../../../check/finding.ts';
import { counted } from '../../../cli/words.ts';
import type { PageProps } from '../app.tsx';
import { colourOf, dashOf } from '../charts/chart.ts';
import { STEP_CHART_HEIGHT, stepChart } from '../charts/step-chart.ts';
import { Amount } from '../components/amount.tsx';
import { Chart } from '../components/chart.tsx';
import { Notice, When } from '../components/controls.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Download } from '../components/download.tsx';
import { type Change, changesOf, linesIn, type Model, type Row } from '../model.ts';
import { hrefTo } from '../route.ts';
import { finderOf, sumByUnit } from '../row-finder.ts';
import { HistoryNotes } from './history-notes.tsx';
import { balanceColumns, rowColumns } from './material-columns.tsx';
import { readMaterialsQuery } from './materials-query.ts';
import { UnknownMaterial } from './unknown-material.tsx';

/** A material has one unit or two. More are a fault, which the table shows as well. */
const MAX_CHARTS = 4;

export const MaterialPage = ({ model, route }: PageProps) => {
  const code = route.parts[0] ?? '';
  const rows = useMemo(() => model.rowsOf(code), [model, code]);
  const changes = useMemo(() => changesOf(model, rows), [model, rows]);
  const units = [...new Set(changes.map(({ unit }) => unit))];
  return (
    <div class="material">
      <Neighbours model={model} route={route} code={code} />
      {rows.length === 0 && <UnknownMaterial model={model} code={code} />}
      <Facts model={model} row={rows[0]} />
      <Findings model={model} code={code} />
      {rows.length > 0 && (
        <>
          <h2>Latest balances</h2>
          <LatestBalances model={model} rows={rows} />
          <h2>History</h2>
          <HistoryNotes data={model.data} />
          {units.slice(0, MAX_CHARTS).map((unit) => (
            <UnitChart key={unit} model={model} code={code} unit={unit} rows={rows} />
          ))}
          {units.length > MAX_CHARTS && (
            <Notice>
              The warehouses used {units.length} units. The charts show the first {MAX_CHARTS}, the table
              shows all.
            </Notice>
          )}
          <Changes model={model} changes={changes} />
          <Download what="the history" path={['history']} query={{ code, at: route.query.get('at') }} />
        </>
      )}
    </div>
  );
};

/** Back to the list with its filters, and to the materials beside this one in the order of the list. */
const Neighbours = ({ model, route: { query }, code }: PageProps & { code: string }) => {
  const address = query.toString();
  const codes = useMemo(() => {
    const { filters, sort, isTotals } = readMaterialsQuery(query);
    return finderOf(model).findCodes(filters, sort, isTotals);
  }, [model, address]);
  const place = codes.indexOf(code);
  const linkTo = (words: string, other: string | undefined) =>
    other !== undefined && (
      <a href={hrefTo('materials', [other], Object.fromEntries(query))}>
        {words}: {other}
      </a>
    );
  return (
    <nav class="flow small" aria-label="Materials">
      <a href={hrefTo('materials', [], Object.fromEntries(query))}>Back to the list</a>
      {place > 0 && linkTo('Previous', codes[place - 1])}
      {place >= 0 && linkTo('Next', codes[place + 1])}
    </nav>
  );
};

const Facts = ({ model, row }: { model: Model; row: Row | undefined }) => (
  <dl class="flow facts">
    {model.data.materials.attributes.map(({ name }, index) => {
      const value = row && model.attributeOf(index, row);
      return value ? (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ) : null;
    })}
  </dl>
);

const Findings = ({ model: { data }, code }: { model: Model; code: string }) => {
  const findings = data.findings.filter(({ subject }) => subject === code);
  return (
    findings.length > 0 && (
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
    )
  );
};

const LatestBalances = ({ model, rows }: { model: Model; rows: readonly Row[] }) => {
  const columns: Column<Row>[] = [
    { title: 'Warehouse', kind: 'head', cell: ({ client }) => client },
    ...rowColumns(model),
  ];
  return (
    <>
      <p class="flow">
        {rows.length > 1 &&
          sumByUnit(rows).map(({ unit, balance }) => (
            <span key={unit}>
              Total: <Amount value={balance} /> {unit}
            </span>
          ))}
      </p>
      <DataTable caption="The latest balance in each warehouse" columns={columns} rows={rows} />
    </>
  );
};

type UnitChartProps = { model: Model; code: string; unit: string; rows: readonly Row[] };

const UnitChart = ({ model, code, unit, rows }: UnitChartProps) => {
  const { lines, label, draw } = useMemo(() => {
    const lines = rows.flatMap((row) => linesIn(unit, row, model.pointsOf(row)));
    return { lines, ...stepChart({ code, unit, lines, until: model.data.asOf }) };
  }, [model, code, unit, rows]);
  return (
    <figure class="card">
      <figcaption>
        Balance in <bdi>{unit}</bdi>
      </figcaption>
      <Chart label={label} height={STEP_CHART_HEIGHT} draw={draw} />
      <ul class="flow small legend">
        {lines.map(({ client, clientIndex }) => (
          <li key={client}>
            <svg width="28" height="8" aria-hidden="true">
              <path
                d="M0 4H28"
                stroke={colourOf(clientIndex)}
                stroke-width="2"
                stroke-dasharray={dashOf(clientIndex)}
              />
            </svg>
            {client}
          </li>
        ))}
        <li class="soft">Dotted: nothing newer was received.</li>
      </ul>
    </figure>
  );
};

const Changes = ({ model, changes }: { model: Model; changes: readonly Change[] }) => {
  const decimals = model.decimals();
  const change = ({ by }: Change) =>
    by ? <Amount value={by} decimals={decimals} isChange /> : by === 0 ? 'none' : 'first';
  const columns: Column<Change>[] = [
    { title: 'Received', kind: 'head', cell: ({ at }) => <When at={at} /> },
    { title: 'Warehouse', kind: 'word', cell: ({ client }) => client },
    ...balanceColumns<Change>(model),
    { title: 'Change', kind: 'number', cell: change },
  ];
  return (
    <>
      <h3>Changes of the balance</h3>
      <p class="soft small">
        {counted(changes.length, 'row')}: the first and the latest report of each warehouse, and each change.
      </p>
      <DataTable caption="Changes of the balance, the newest first" columns={columns} rows={changes} />
    </>
  );
};
