import { formatAge } from '../../cli/time.ts';
import { formatSecond, formatTime } from './format.ts';

type Attributes = { [name: string]: string | undefined };
type Child = Node | string;

/** Texts become text nodes, so that the browser never reads data as markup. */
export const el = <TName extends keyof HTMLElementTagNameMap>(
  name: TName,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[TName] => {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
};

export const byId = (id: string) => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no ${id}.`);
  return element;
};

export const inputById = (id: string) => {
  const element = byId(id);
  if (!(element instanceof HTMLInputElement)) throw new Error(`${id} is no field.`);
  return element;
};

/** A name and its value in a `dl`. */
export const fact = (name: string, value: string) => el('div', {}, el('dt', {}, name), el('dd', {}, value));

export const hiddenText = (text: string) => el('span', { class: 'hidden' }, text);

export const lead = (text: string) => el('p', { class: 'soft small' }, text);

export const figure = (chart: HTMLElement, ...caption: Child[]) =>
  el('figure', {}, el('figcaption', {}, ...caption), chart);

export const timeCell = (at: number, text = formatSecond(at)) =>
  el('time', { datetime: new Date(at).toISOString(), title: `${formatSecond(at)} UTC` }, text);

/** The time comes first: the age is right only on the day that the report is made. */
export const receiptCell = (at: number, madeAt: number) => {
  const age = `${formatAge(new Date(at), new Date(madeAt))} old`;
  return el(
    'span',
    { class: 'receipt' },
    timeCell(at, formatTime(at)),
    ' ',
    el('span', { class: 'age' }, age),
  );
};
