import { createChangeCounts } from '../../admin/console/stock/change-counts.ts';
import type { StockData } from '../../admin/console/stock/stock-data.ts';
import { createHistory } from '../../admin/console/stock/stock-history.ts';
import { MAX_BATCH_ENTRIES } from '../../shared/schemas/limits.ts';
import { DAY_MS } from '../../shared/time.ts';

export const MADE_AT = Date.parse('2026-03-31T09:30:00Z');
const SINCE = MADE_AT - 30 * DAY_MS;
const CLIENTS = ['north', 'south'];

/** As markup, these texts would end their element or run a script. */
export const HOSTILE_UNIT = '</script><img src=x onerror=boom()>';
export const HOSTILE_NAME = '<b>bold</b> & "quoted" <!-- $& -->';
export const HOSTILE_DETAIL = `<svg onload=boom()>'</script>`;

/** The third has a letter and its accent apart. */
const codes = ['Сталь-10/А', 'ABC-1', 'Śruba-7'.normalize('NFD'), 'Rohr-2/10', 'Rohr-2/9', 'Kabel-5'];
const names = ['Лист 10 мм', 'Bolt M8', 'Śruba', HOSTILE_NAME, 'Pipe', null];

export const entryOf = (code: string, balance: number, unit = 'kg', orders: string[] = []) => ({
  MaterialCode: code,
  StockBalance: balance,
  StockBalanceUnit: unit,
  PurchaseOrders: orders,
});

/** On these two of the 30 days, no client sends a snapshot. The client south sends every third day. */
const SILENT_DAYS = [10, 11];

const statementsOf = (day: number, client: number) =>
  codes.map((code, index) => {
    if (code === 'Rohr-2/10') return entryOf(code, 5, HOSTILE_UNIT);
    const balance =
      Math.round(1_000 * (1_200 * index + 900 * Math.sin((day + 3 * client) / (3 + index)) - 200)) / 1_000;
    const orders = index % 2 ? [`OT450000${index}`, 'OT7654321'] : [];
    return entryOf(code, code === 'Kabel-5' ? 12_345_678.5 : balance, index === 4 ? 'm' : 'kg', orders);
  });

const findings: StockData['findings'] = [
  ...codes.slice(3).map((code) => ({
    kind: 'unlisted-code' as const,
    client: 'north',
    subject: code,
    detail: 'Add it to the list, or have the warehouse correct it.',
  })),
  { kind: 'unit-differs', client: '', subject: 'ABC-1', detail: HOSTILE_DETAIL },
  { kind: 'unit-differs', client: 'south', subject: 'Сталь-10/А', detail: 'kg before, now t.' },
];

type History = ReturnType<typeof createHistory>;
type Parts = Partial<StockData> & { history?: History; attributes?: StockData['materials']['attributes'] };

/** A report without snapshots, changes and findings, but for these parts. */
export const reportOf = ({ history = createHistory(), attributes = [], ...parts }: Parts = {}): StockData => {
  const { codes: code, ...columns } = history.columns();
  return {
    what: 'the stack WarehouseControl in eu-central-1',
    madeAt: MADE_AT,
    since: SINCE,
    asOf: MADE_AT,
    clients: CLIENTS,
    lateFrom: CLIENTS.map(() => MADE_AT + DAY_MS),
    lastSnapshotAt: CLIENTS.map(
      (_, client) => columns.snapshots.at[columns.snapshots.client.lastIndexOf(client)] ?? null,
    ),
    historySince: CLIENTS.map(() => SINCE),
    ...columns,
    ...createChangeCounts(CLIENTS.length).columns(),
    damaged: [],
    materials: { code, attributes },
    findings: [],
    ...parts,
  };
};

export const sample = () => {
  const history = createHistory();
  const counts = createChangeCounts(CLIENTS.length);
  for (const client of CLIENTS.keys()) {
    for (let day = 0; day < 30; day += client === 0 ? 1 : 3) {
      if (SILENT_DAYS.includes(day)) continue;
      const at = SINCE + day * DAY_MS + client * 3_600_000;
      history.add({ id: `${client}-${day}`, client, at, entries: statementsOf(day, client) });
      for (let change = 0; change <= day % 4; change += 1) counts.add(client, at - change);
    }
  }
  const damaged = ['Snapshot 2026-03-03T00:00:00.000Z-a of north is damaged.'];
  const attributes = [{ name: 'Name', value: names }];
  return reportOf({ history, attributes, ...counts.columns(), damaged, findings });
};

/** A report with the largest number of materials that a batch can have. */
export const large = (materials = MAX_BATCH_ENTRIES) => {
  const history = createHistory();
  for (const change of [0, 10]) {
    const entries = Array.from({ length: materials }, (_, index) =>
      entryOf(`M-${index}`, ((index * 7_919) % 1_000) - change),
    );
    history.add({ id: String(change), client: 0, at: MADE_AT - (2 - change / 10) * DAY_MS, entries });
  }
  return reportOf({ history });
};
