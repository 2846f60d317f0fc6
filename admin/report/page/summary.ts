import { DAY_MS, HOUR_MS } from '../../cli/time.ts';
import { counted, grouped } from '../../cli/words.ts';
import type { ReportData } from '../data.ts';
import { byId, el, fact } from './dom.ts';
import { days, time } from './words.ts';

export const showHead = (data: ReportData) => {
  const { what, madeAt, since, clients, snapshots, changes, materials, findings } = data;
  document.title = `Stock report of ${what}, ${time(madeAt)} UTC`;
  byId('what').textContent = `Of ${what}`;
  byId('about').replaceChildren(
    fact('Made', `${time(madeAt)} UTC`),
    fact('Period', `${time(since)} to ${time(madeAt)} UTC (${spanOf(madeAt - since)})`),
    fact(clients.length === 1 ? 'Client' : 'Clients', clients.join(', ')),
  );
  const figures: [string, number][] = [
    ['Snapshots', snapshots.at.length],
    ['Entries', sum(snapshots.entries)],
    ['Materials', materials.code.length],
    ['Changes', sum(changes.count)],
    ['Findings', findings.length],
  ];
  byId('figures').replaceChildren(...figures.map(([name, value]) => fact(name, grouped(value))));
  byId('notes').replaceChildren(...notesOn(data).map((text) => el('p', { class: 'note' }, text)));
  byId('footer').textContent =
    'All times are UTC. This file holds all that it shows, and asks no other machine for anything.';
};

const spanOf = (ms: number) =>
  ms < DAY_MS ? counted(Math.round(ms / HOUR_MS), 'hour') : counted(Math.round(ms / DAY_MS), 'day');

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const notesOn = ({ thinnedToDays, damaged }: ReportData) => [
  ...(thinnedToDays > 0
    ? [
        `The history is too long for one page: of each material, only the last change of every ${days(thinnedToDays)} is here. The latest balances are complete.`,
      ]
    : []),
  ...(damaged.length > 0
    ? [
        `${counted(damaged.length, 'snapshot')} could not be read and ${damaged.length === 1 ? 'is' : 'are'} not in the figures.`,
      ]
    : []),
];
