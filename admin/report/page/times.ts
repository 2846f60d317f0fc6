import { formatAge } from '../../cli/time.ts';
import { el } from './dom.ts';
import { time, timeToSecond } from './words.ts';

export const timeCell = (at: number, ...text: (Node | string)[]) =>
  el('time', { datetime: new Date(at).toISOString(), title: `${timeToSecond(at)} UTC` }, ...text);

/** The time first: the file may be kept, and an age is right on the day of its making alone. */
export const receiptCell = (at: number, madeAt: number) => {
  const [day = '', hour = ''] = time(at).split(' ');
  return el(
    'span',
    { class: 'receipt' },
    // In a narrow column, the day and the hour may stand below each other, and neither is broken.
    timeCell(at, el('span', {}, day), ' ', el('span', {}, hour)),
    ' ',
    el('span', { class: 'age' }, `${formatAge(new Date(at), new Date(madeAt))} old`),
  );
};
