import { counted } from '../../cli/words.ts';
import { balanceCell } from './balances.ts';
import { legend } from './colours.ts';
import { byId, el, fact, inputById } from './dom.ts';
import { type Line, linesIn } from './lines.ts';
import { hashOf } from './link.ts';
import { type Model, matcher, type Row } from './model.ts';
import { stepChart } from './step-chart.ts';
import { createTable } from './table.ts';
import { timeCell } from './times.ts';
import { change, days, difference, timeToSecond } from './words.ts';

const SUGGESTIONS = 8;
const CHOICES = 20;
/** A material is counted in one unit or two; more is a fault that the table shows as well. */
const MOST_CHARTS = 4;

export const showHistory = (model: Model, code: string | undefined) => {
  const rows = code === undefined ? [] : model.rowsOf(code);
  if (code !== undefined) inputById('material').value = code;
  if (code === undefined || rows.length === 0) return showNothing(model, code);
  const changes = changesOf(model, rows);
  byId('history-count').textContent = counted(changes.length, 'statement');
  const units = [...new Set(changes.map(({ unit }) => unit))];
  byId('history-body').replaceChildren(
    el('h3', {}, code),
    el('dl', { class: 'facts' }, ...attributesOf(model, rows)),
    ...units.slice(0, MOST_CHARTS).map((unit) => figure(model, code, unit, rows)),
    ...(units.length > MOST_CHARTS ? [el('p', { class: 'note' }, tooMany(units.length))] : []),
    ...changesTable(changes, model.data.thinnedToDays),
  );
};

const tooMany = (units: number) =>
  `${units} units were used; the first ${MOST_CHARTS} are drawn, all stand in the table.`;

const attributesOf = ({ data, attributeOf }: Model, [row]: readonly Row[]) =>
  data.materials.attributes.flatMap(({ name }, place) => {
    const value = row ? attributeOf(place, row) : '';
    return value ? [fact(name, value)] : [];
  });

const figure = (model: Model, code: string, unit: string, rows: readonly Row[]) => {
  const lines: Line[] = rows.flatMap((row) =>
    linesIn(unit, row.client, row.clientIndex, model.pointsOf(row)),
  );
  const clients = lines.map(({ client, clientIndex }) => ({ name: client, index: clientIndex }));
  return el(
    'figure',
    {},
    el('figcaption', {}, 'Balance in ', el('bdi', {}, unit)),
    legend(clients, 'line'),
    el('p', { class: 'lead' }, 'Dotted: nothing newer was said until the report was made.'),
    stepChart({ code, unit, lines, until: model.data.madeAt }),
  );
};

type Change = { at: number; client: string; balance: number; unit: string; by: number | undefined };

/** The newest first; by how much is told only where the unit is the same. */
const changesOf = (model: Model, rows: readonly Row[]): Change[] =>
  rows
    .flatMap((row) =>
      model.pointsOf(row).map((point, index, points) => {
        const before = points[index - 1];
        const by = before?.unit === point.unit ? difference(point.balance, before.balance) : undefined;
        return { ...point, client: row.client, by };
      }),
    )
    .sort((a, b) => b.at - a.at);

const changesTable = (changes: readonly Change[], thinnedToDays: number) => {
  const table = el('table', { class: 'data cards compact', id: 'changes-table' });
  const more = el('div', { class: 'more' });
  createTable<Change>({
    table,
    more,
    caption: 'What was said of this material, the newest first',
    columns: [
      { title: 'Received (UTC)', kind: 'head', cell: ({ at }) => timeCell(at, timeToSecond(at)) },
      { title: 'Client', kind: 'word', cell: ({ client }) => client },
      { title: 'Balance', kind: 'number', cell: ({ balance, unit }) => balanceCell(balance, unit) },
      { title: 'Change', kind: 'number', cell: ({ by }) => changeText(by) },
    ],
    step: 20,
  }).show(changes);
  return [
    el('h3', {}, 'Changes of the balance'),
    el('p', { class: 'lead' }, leadOf(thinnedToDays)),
    table,
    more,
  ];
};

const leadOf = (thinnedToDays: number) =>
  'The first and the last statement of each client, and ' +
  (thinnedToDays > 0 ? `the last change of every ${days(thinnedToDays)}.` : 'each that changed something.');

const changeText = (by: number | undefined) => {
  if (by === undefined) return 'first';
  return by === 0 ? 'none' : change(by);
};

const showNothing = (model: Model, code: string | undefined) => {
  byId('history-count').textContent = '';
  const busiest = model.rows
    .toSorted((a, b) => b.points[1] - b.points[0] - (a.points[1] - a.points[0]))
    .map(({ code }) => code);
  const links = [...new Set(busiest.slice(0, 100))].slice(0, SUGGESTIONS);
  const hint =
    code === undefined ? 'Choose a material above.' : `Nothing was said of ${code} in this period.`;
  byId('history-body').replaceChildren(
    el('p', { class: 'empty' }, links.length > 0 ? `${hint} These have changed most often:` : hint),
    el(
      'div',
      { class: 'suggestions' },
      ...links.map((code) => el('a', { href: hashOf(code), class: 'chip' }, code)),
    ),
  );
};

/** A field that offers what matches as one types; Enter takes the first. */
export const offerMaterials = (model: Model, choose: (code: string) => void) => {
  const input = inputById('material');
  const choices = byId('material-choices');
  const found = () => {
    const matches = matcher(input.value);
    const codes = new Set<string>();
    for (const { code, haystack } of model.rows) {
      if (codes.size === CHOICES) break;
      if (matches(haystack)) codes.add(code);
    }
    return [...codes];
  };
  input.addEventListener('input', () => {
    if (model.rowsOf(input.value).length > 0) return choose(input.value);
    choices.replaceChildren(...found().map((code) => el('option', { value: code })));
  });
  input.addEventListener('keydown', ({ key }) => {
    const [first] = found();
    if (key === 'Enter' && first !== undefined && input.value.trim()) choose(first);
  });
};
