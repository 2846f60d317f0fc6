import type { Material } from '../../api.ts';
import { Amount, type CellView, ClientLink, sentenceOf, titleOf } from '../components/cells.tsx';
import { Waiting } from '../components/controls.tsx';
import { MaterialCharts } from '../components/material-charts.tsx';
import { strokeOf } from '../components/step-chart.tsx';
import { StockTable } from '../components/stock-table.tsx';
import { formatNumber } from '../format.ts';
import { hrefTo, pick, useRoute } from '../route.ts';
import { pathTo } from '../source.ts';
import { type Cells, useFirstRows, useStock, useStockResponse } from '../use-stock.ts';
import { AddUnlisted, subjectOf } from './work/findings.tsx';

export const MaterialPage = () => {
  const { segments, parameters } = useRoute();
  const code = segments[0] ?? '';
  const at = parameters.get('at');
  const { response, ...state } = useStockResponse<Material>(pathTo(['materials', code], { at }));
  const findings = useFirstRows('findings', { at, material: code, limit: String(MAX_FINDINGS) });
  if (!response) return <Waiting response={response} {...state} />;
  const { attributes, totals, lines } = response;
  const withFindings = (findings.rows ?? []).flatMap(({ Client }) => (Client ? [String(Client)] : []));
  const clients = [...new Set(lines.map(({ client }) => client))];
  return (
    <>
      <p class="small">
        <a href={hrefTo('materials', [], { ...Object.fromEntries(parameters), ...OF_CHARTS })}>
          Back to the materials
        </a>{' '}
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
      <FindingList code={code} {...findings} />
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
          <MaterialCharts {...{ code, lines, clients, withFindings }} />
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

/** The page of all materials has no charts. */
const OF_CHARTS = { shown: undefined, outliers: undefined };

/** Whether the words of a finding are about another material, with which this one has it. */
const isAboutOthers = (code: string, { Kind, Subject, Detail }: Cells, detail: string) => {
  const { data } = JSON.parse(String(Detail));
  if (data.balances > 1) return data.material !== code;
  if (data.others !== undefined) return true;
  return Subject !== code && !detail.includes(code) && !String(Kind).endsWith('-order');
};

const MAX_FINDINGS = 20;

type FindingProps = { code: string; rows: readonly Cells[] | undefined; hasMore: boolean };

const FindingList = ({ code, rows = [], hasMore }: FindingProps) => {
  const { nameOf } = useStock();
  if (rows.length === 0) return null;
  return (
    <>
      <ul class="findings" aria-label="Findings of the check">
        {rows.map((cells, index) => {
          const { name, href } = subjectOf(cells);
          const detail = sentenceOf('detail', cells['Detail']);
          const isOfOthers = isAboutOthers(code, cells, detail);
          return (
            <li key={index}>
              <span class={`severity ${cells['Severity']}`}>{titleOf(String(cells['Kind']))}</span>
              <span>
                {cells['Client'] && <b>{nameOf(String(cells['Client']))}: </b>}
                {name !== code && !isOfOthers && <a href={href}>{name}: </a>}
                {isOfOthers ? 'This material is one of several.' : detail}{' '}
                {sentenceOf('advice', cells['Advice'])} <AddUnlisted {...cells} />
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
      <ClientLink client={String(Client)} />
    </span>
  );
