import { DAY_MS, formatAge } from '../../cli/time.ts';
import { grouped } from '../../cli/words.ts';
import { dayOf } from '../data.ts';
import { legend } from './charts/chart.ts';
import { type Bar, dayChart } from './charts/day-chart.ts';
import { byId, el, figure, lead, receiptCell } from './dom.ts';
import { activityOf, activityStart, type ClientActivity, type Model } from './model.ts';
import { createTable } from './table.ts';

export const showArrivals = ({ data }: Model) => {
  const { clients, madeAt, snapshots, changes } = data;
  const period = { clients, first: dayOf(activityStart(data)), last: dayOf(madeAt) };
  const snapshotBars = toBars(snapshots.client, snapshots.at.map(dayOf));
  const changeBars = toBars(changes.client, changes.day, changes.count);
  const tableBox = el('div');
  byId('arrivals-body').replaceChildren(
    ...(clients.length > 1
      ? [
          legend(
            clients.map((name, index) => ({ name, index })),
            'bar',
          ),
        ]
      : []),
    figure(dayChart({ what: 'snapshot', bars: snapshotBars, ...period }), 'Snapshots'),
    figure(dayChart({ what: 'change', bars: changeBars, ...period }), 'Changes'),
    el('h3', {}, 'By client'),
    lead('Silence is time without a snapshot. A silent day is a whole UTC day of the period.'),
    tableBox,
  );
  // The data has nothing from before the period.
  const last = (at: number | null) => (at === null ? 'not in this period' : receiptCell(at, madeAt));
  createTable<ClientActivity>({
    parent: tableBox,
    id: 'clients-table',
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
  }).show(activityOf(data));
};

/** One bar for each day and client. The bars of a day are stacked in the order of the clients. */
const toBars = (clients: readonly number[], days: readonly number[], counts?: readonly number[]): Bar[] => {
  const bars = new Map<string, Bar>();
  for (const [index, day] of days.entries()) {
    const client = clients[index] ?? 0;
    const key = `${day} ${client}`;
    bars.set(key, { client, day, count: (counts?.[index] ?? 1) + (bars.get(key)?.count ?? 0) });
  }
  return [...bars.values()].sort((a, b) => a.day - b.day || a.client - b.client);
};

const spanInWords = (ms: number) => formatAge(new Date(0), new Date(Math.min(ms, 100_000 * DAY_MS)));
