import type { ReportData } from '../data.ts';
import { showArrivals } from './arrivals.ts';
import { markChosen, showBalances } from './balances.ts';
import { byId } from './dom.ts';
import { showFindings } from './findings.ts';
import { offerMaterials, showHistory } from './history.ts';
import { codeOf, hashOf } from './link.ts';
import { toModel } from './model.ts';
import { showHead } from './summary.ts';

const data: ReportData = JSON.parse(byId('data').textContent);
const model = toModel(data);

showHead(data);
showBalances(model);
showArrivals(model);
showFindings(model);

const showChosen = () => {
  const code = codeOf(location.hash);
  showHistory(model, code);
  markChosen(code);
  if (code === undefined) return;
  const section = byId('history');
  section.focus({ preventScroll: true });
  section.scrollIntoView();
};

offerMaterials(model, (code) => {
  history.replaceState(null, '', hashOf(code));
  showHistory(model, code);
  markChosen(code);
});
// The links to the sections leave the chosen material as it is.
addEventListener('hashchange', () => {
  if (codeOf(location.hash) !== undefined || location.hash === '') showChosen();
});
showChosen();
