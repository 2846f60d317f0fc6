import { counted } from '../../cli/words.ts';
import { balanceCell } from './balances.ts';
import { legend } from './charts/chart.ts';
import { stepChart } from './charts/step-chart.ts';
import { byId, el, fact, figure, inputById, lead, timeCell } from './dom.ts';
import { difference, formatAmount, hashOf } from './format.ts';
import { linesIn, type Model, matcher, type Row } from './model.ts';
import { createTable } from './table.ts';

const SUGGESTIONS = 8;
const CHOICES = 20;
/** A material has one unit or two. More are a fault, which the table shows as well. */
const MAX_CHARTS = 4;

export const showHistory = (model: Model, code: string | undefined) => {
  const rows = code === undefined ? [] : model.rowsOf(code);
  if (code !== undefined) inputById('material').value = code;
  if (code === undefined || rows.length === 0) return showNothing(model, code);
  const changes = changesOf(model, rows);
  const units = [...new Set(changes.map(({ unit }) => unit))];
  const { thinnedToDays } = model.data;
  const kept = thinnedToDays > 0 ? `the last of every ${counted(thinnedToDays, 'day')}` : 'each change';
  const tableBox = el('div');
  byId('history-count').textContent = counted(changes.length, 'statement');
  byId('history-body').replaceChildren(
    el('h3', {}, code),
    el('dl', { class: 'flow' }, ...factsOf(model, rows)),
    ...units.slice(0, MAX_CHARTS).map((unit) => unitFigure(model, code, unit, rows)),
    ...(units.length > MAX_CHARTS ? [el('p', { class: 'note' }, tooMany(units.length))] : []),
    el('h3', {}, 'Changes of the balance'),
    lead(`The first and the last statement of each client, and ${kept}.`),
    tableBox,
  );
  createTable<Change>({
    parent: tableBox,
    id: 'changes-table',
    caption: 'What was said of this material, the newest first',
    columns: [
      { title: 'Received (UTC)', kind: 'head', cell: ({ at }) => timeCell(at) },
      { title: 'Client', kind: 'word', cell: ({ client }) => client },
      { title: 'Balance', kind: 'number', cell: ({ balance, unit }) => balanceCell(balance, unit) },
      { title: 'Change', kind: 'number', cell: ({ by }) => changeText(by) },
    ],
    step: 20,
  }).show(changes);
};

const tooMany = (units: number) =>
  `The clients used ${units} units. The charts show the first ${MAX_CHARTS}, the table shows all.`;

const factsOf = ({ data, attributeOf }: Model, [row]: readonly Row[]) =>
  data.materials.attributes.flatMap(({ name }, index) => {
    const value = row ? attributeOf(index, row) : '';
    return value ? [fact(name, value)] : [];
  });

const unitFigure = (model: Model, code: string, unit: string, rows: readonly Row[]) => {
  const lines = rows.flatMap((row) => linesIn(unit, row, model.pointsOf(row)));
  const clients = lines.map(({ client, clientIndex }) => ({ name: client, index: clientIndex }));
  const chart = stepChart({ code, unit, lines, until: model.data.madeAt });
  const note = lead('Dotted: the client sent nothing newer until the report was made.');
  return el('div', {}, figure(chart, 'Balance in ', el('bdi', {}, unit)), legend(clients, 'line'), note);
};

type Change = ReturnType<typeof changesOf>[number];

/** The newest first, each with the difference to the point before it in the same unit. */
const changesOf = (model: Model, rows: readonly Row[]) =>
  rows
    .flatMap((row) =>
      model.pointsOf(row).map((point, index, points) => {
        const before = points[index - 1];
        const by = before?.unit === point.unit ? difference(point.balance, before.balance) : undefined;
        return { ...point, client: row.client, by };
      }),
    )
    .sort((a, b) => b.at - a.at);

const changeText = (by: number | undefined) => {
  if (by === undefined) return 'first';
  if (by === 0) return 'none';
  return by > 0 ? `+${formatAmount(by)}` : formatAmount(by);
};

const showNothing = (model: Model, code: string | undefined) => {
  byId('history-count').textContent = '';
  const busiest = model.rows.toSorted((a, b) => b.until - b.from - (a.until - a.from)).slice(0, 100);
  const codes = [...new Set(busiest.map((row) => row.code))].slice(0, SUGGESTIONS);
  const hint =
    code === undefined ? 'Choose a material above.' : `No client sent a balance of ${code} in this period.`;
  byId('history-body').replaceChildren(
    el('p', { class: 'soft' }, codes.length > 0 ? `${hint} These have changed most often:` : hint),
    el(
      'div',
      { class: 'flow unprinted' },
      ...codes.map((code) => el('a', { href: hashOf(code), class: 'chip' }, code)),
    ),
  );
};

/** Offers the materials that match while a reader types. Enter chooses the first. */
export const offerMaterials = (model: Model, choose: (code: string) => void) => {
  const input = inputById('material');
  const matchingCodes = () => {
    const matches = matcher(input.value);
    const rows = model.rows.values().filter(({ haystack }) => matches(haystack));
    return [...new Set(rows.map(({ code }) => code))].slice(0, CHOICES);
  };
  input.addEventListener('input', () => {
    if (model.rowsOf(input.value).length > 0) return choose(input.value);
    byId('material-choices').replaceChildren(...matchingCodes().map((value) => el('option', { value })));
  });
  input.addEventListener('keydown', ({ key }) => {
    const [first] = matchingCodes();
    if (key === 'Enter' && first !== undefined && input.value.trim()) choose(first);
  });
};
