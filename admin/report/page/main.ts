import { formatAge } from '../../cli/time.ts';
import { counted, grouped } from '../../cli/words.ts';
import type { ReportData } from '../data.ts';
import { showArrivals } from './arrivals.ts';
import { markChosen, showBalances } from './balances.ts';
import { byId, el, fact } from './dom.ts';
import { showFindings } from './findings.ts';
import { codeIn, formatTime, hashOf } from './format.ts';
import { offerMaterials, showHistory } from './history.ts';
import { sum, toModel } from './model.ts';

const showSummary = (data: ReportData) => {
  const { what, madeAt, since, clients, snapshots, changes, materials, findings } = data;
  document.title = `Stock report of ${what}, ${formatTime(madeAt)} UTC`;
  byId('what').textContent = `Of ${what}`;
  const span = formatAge(new Date(since), new Date(madeAt));
  byId('about').replaceChildren(
    fact('Made', `${formatTime(madeAt)} UTC`),
    fact('Period', `${formatTime(since)} to ${formatTime(madeAt)} UTC (${span})`),
    fact(clients.length === 1 ? 'Client' : 'Clients', clients.join(', ')),
  );
  byId('figures').replaceChildren(
    fact('Snapshots', grouped(snapshots.at.length)),
    fact('Entries', grouped(sum(snapshots.entries))),
    fact('Materials', grouped(materials.code.length)),
    fact('Changes', grouped(sum(changes.count))),
    fact('Findings', grouped(findings.length)),
  );
  byId('notes').replaceChildren(...notesOn(data).map((text) => el('p', { class: 'note' }, text)));
};

const notesOn = ({ thinnedToDays, damaged }: ReportData) => {
  const span = counted(thinnedToDays, 'day');
  const thinned = `The history is too long for one page: of each material, only the last change of every ${span} is here. The latest balances are complete.`;
  const unread = `${counted(damaged.length, 'snapshot')} could not be read and ${damaged.length === 1 ? 'is' : 'are'} not in the figures.`;
  return [...(thinnedToDays > 0 ? [thinned] : []), ...(damaged.length > 0 ? [unread] : [])];
};

const data: ReportData = JSON.parse(byId('data').textContent);
const model = toModel(data);

showSummary(data);
showBalances(model);
showArrivals(model);
showFindings(model);

const choose = (code: string | undefined) => {
  showHistory(model, code);
  markChosen(code);
};

const followHash = () => {
  const code = codeIn(location.hash);
  choose(code);
  if (code === undefined) return;
  byId('history').focus({ preventScroll: true });
  byId('history').scrollIntoView();
};

offerMaterials(model, (code) => {
  history.replaceState(null, '', hashOf(code));
  choose(code);
});
// A link to a section keeps the chosen material.
addEventListener('hashchange', () => {
  if (codeIn(location.hash) !== undefined || location.hash === '') followHash();
});
followHash();
