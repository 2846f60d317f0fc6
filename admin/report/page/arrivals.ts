import { DAY_MS, formatAge } from '../../cli/time.ts';
import { grouped } from '../../cli/words.ts';
import { dayOf } from '../data.ts';
import { type Heard, heardFrom, heardOf } from './client-activity.ts';
import { legend } from './colours.ts';
import { type Bar, dayChart } from './day-chart.ts';
import { byId, el } from './dom.ts';
import type { Model } from './model.ts';
import { createTable } from './table.ts';
import { receiptCell } from './times.ts';

export const showArrivals = ({ data }: Model) => {
  const { clients, madeAt } = data;
  const days = { first: dayOf(heardFrom(data)), last: dayOf(madeAt) };
  const snapshots = barsOf(
    data.snapshots.at.map((at, index) => ({
      client: data.snapshots.client[index] ?? 0,
      day: dayOf(at),
      count: 1,
    })),
  );
  const changes = barsOf(
    data.changes.day.map((day, index) => ({
      client: data.changes.client[index] ?? 0,
      day,
      count: data.changes.count[index] ?? 0,
    })),
  );
  const named = clients.map((name, index) => ({ name, index }));
  byId('arrivals-body').replaceChildren(
    ...(clients.length > 1 ? [legend(named, 'bar')] : []),
    figure('Snapshots', dayChart({ what: 'snapshot', bars: snapshots, clients, ...days })),
    figure('Changes', dayChart({ what: 'change', bars: changes, clients, ...days })),
    ...clientTable(heardOf(data), madeAt),
  );
};

const figure = (caption: string, chart: HTMLElement) =>
  el('figure', {}, el('figcaption', {}, caption), chart);

/** One for each day and client of whom something came; a day's bars stand on each other in the clients' order. */
const barsOf = (arrivals: readonly Bar[]): Bar[] => {
  const bars = new Map<string, Bar>();
  for (const { client, day, count } of arrivals) {
    const key = `${day} ${client}`;
    bars.set(key, { client, day, count: count + (bars.get(key)?.count ?? 0) });
  }
  return [...bars.values()].sort((a, b) => a.day - b.day || a.client - b.client);
};

const clientTable = (heard: readonly Heard[], madeAt: number) => {
  const table = el('table', { class: 'data cards', id: 'clients-table' });
  const more = el('div', { class: 'more' });
  // What came before is not in the data.
  const last = (at: number | null) => (at === null ? 'not in this period' : receiptCell(at, madeAt));
  createTable<Heard>({
    table,
    more,
    caption: 'What arrived, by client',
    columns: [
      { title: 'Client', kind: 'head', cell: ({ name }) => name },
      { title: 'Snapshots', kind: 'number', cell: ({ snapshots }) => grouped(snapshots) },
      { title: 'Last snapshot', kind: 'number', cell: ({ lastSnapshotAt }) => last(lastSnapshotAt) },
      { title: 'Longest silence', kind: 'number', cell: ({ silenceMs }) => spanInWords(silenceMs) },
      { title: 'Silent days', kind: 'number', cell: ({ silentDays }) => grouped(silentDays) },
      { title: 'Changes', kind: 'number', cell: ({ changes }) => grouped(changes) },
      { title: 'Last change', kind: 'number', cell: ({ lastChangeAt }) => last(lastChangeAt) },
    ],
  }).show(heard);
  return [
    el('h3', {}, 'By client'),
    el(
      'p',
      { class: 'lead' },
      'Silence is time without a snapshot. A silent day is a whole UTC day of the period.',
    ),
    table,
    more,
  ];
};

const spanInWords = (ms: number) => formatAge(new Date(0), new Date(Math.min(ms, 100_000 * DAY_MS)));
