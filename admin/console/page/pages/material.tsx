import type { Material } from '../../api.ts';
import { Amount, type CellView, sentenceOf, titleOf } from '../components/cells.tsx';
import { Waiting } from '../components/controls.tsx';
import { StepChart, strokeOf } from '../components/step-chart.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { formatNumber } from '../format.ts';
import { hrefTo, pick, useRoute } from '../route.ts';
import { pathTo } from '../source.ts';
import { useFirstRows, useStock, useStockResponse } from '../use-stock.ts';
import { subjectOf } from './findings.tsx';

export const MaterialPage = () => {
  const { segments, parameters } = useRoute();
  const { asOf } = useStock();
  const code = segments[0] ?? '';
  const at = parameters.get('at');
  const { response, ...state } = useStockResponse<Material>(pathTo(['materials', code], { at }));
  if (!response) return <Waiting response={response} {...state} />;
  const { attributes, totals, lines } = response;
  const units = [...new Set(lines.map(({ unit }) => unit))];
  const clients = [...new Set(lines.map(({ client }) => client))];
  return (
    <>
      <p class="small">
        <a href={hrefTo('materials', [], Object.fromEntries(parameters))}>Back to the materials</a>{' '}
        <a href={hrefTo('history', [], { list: 'MaterialCodes', id: code })}>
          Changes of its row in the list
        </a>
      </p>
      {lines.length === 0 && (
        <p>
          No warehouse sent a balance of {code}. {attributes && 'The list of codes has this code.'}
        </p>
      )}
      <dl class="flow">
        {attributes?.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'number' ? formatNumber(value) : value}</dd>
          </div>
        ))}
      </dl>
      <FindingList code={code} at={at} />
      {lines.length > 0 && (
        <>
          <h2>Latest balances</h2>
          {totals.map(({ unit, total }) => (
            <p key={unit}>
              Total: <Amount value={total} /> {unit}
            </p>
          ))}
          <StockTable
            table="balances"
            query={{ at, material: code }}
            sortName="balances"
            caption="The latest balance in each warehouse"
            noun={['warehouse', 'warehouses']}
            headColumn="Client"
            isHidden={({ name, attribute }) => name === 'MaterialCode' || attribute !== undefined}
            viewOf={({ name }) => (name === 'Client' ? clientView(clients) : undefined)}
          />
          <h2>History</h2>
          {units.map((unit) => (
            <figure key={unit} class="card">
              <figcaption>
                Balance in <bdi>{unit}</bdi>
              </figcaption>
              <StepChart
                {...{ code, unit, clients }}
                lines={lines.filter((line) => line.unit === unit)}
                until={asOf}
              />
            </figure>
          ))}
          <h3>All balances</h3>
          <StockTable
            table="history"
            query={{ ...pick(parameters, ['at', 'since']), material: code }}
            sortName="history"
            caption="All balances"
            noun={['balance', 'balances']}
          />
        </>
      )}
    </>
  );
};

const MAX_FINDINGS = 20;

const FindingList = ({ code, at }: { code: string; at: string | null }) => {
  const { rows = [], hasMore } = useFirstRows('findings', {
    at,
    material: code,
    limit: String(MAX_FINDINGS),
  });
  if (rows.length === 0) return null;
  return (
    <>
      <ul class="findings" aria-label="Findings of the check">
        {rows.map((cells, index) => {
          const { name, href } = subjectOf(cells);
          return (
            <li key={index}>
              <span class={`severity ${cells['Severity']}`}>{titleOf(String(cells['Kind']))}</span>
              <span>
                {cells['Client'] && <b>{cells['Client']}: </b>}
                {name !== code && <a href={href}>{name}: </a>}
                {sentenceOf('detail', cells['Detail'])} {sentenceOf('advice', cells['Advice'])}
              </span>
            </li>
          );
        })}
      </ul>
      {hasMore && <a href={hrefTo('findings', [], { material: code })}>All findings of this material</a>}
    </>
  );
};

/** Shows the stroke that the warehouse has in the charts. */
const clientView =
  (clients: readonly string[]): CellView =>
  ({ Client }) => (
    <span>
      <svg width="28" height="8" aria-hidden="true">
        <path d="M0 4H28" style={strokeOf(clients.indexOf(String(Client)))} />
      </svg>{' '}
      {Client}
    </span>
  );
