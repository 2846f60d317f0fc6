import { visible } from '../cli/text-table.ts';

/** Turns what a server has said into what may be shown. */
export type Quote = (text: string) => string;

type Quoting = {
  /** Within quotation marks, and short. */
  quote: Quote;
  /** As it is, where it is as plain as an id. */
  quoteId: Quote;
};

const LONGEST = 44;
const HIDDEN = '[hidden]';
const PLAIN_ID = /^[\w.:-]{1,64}$/;

/**
 * The gateway repeats an Authorization header that it cannot make sense of. So the password, and what the header carries,
 * are taken out first, before a cut could leave a piece of them that is not recognised.
 */
export const quoting = (username: string, password: string): Quoting => {
  const pair = Buffer.from(`${username}:${password}`).toString('base64');
  const forms = [pair, pair.replace(/=+$/, ''), ...writtenForms(password)];
  const hide = (text: string) => forms.reduce((hidden, form) => hidden.replaceAll(form, HIDDEN), text);
  const quote: Quote = (text) => {
    const line = visible(hide(text).replaceAll(/\s+/g, ' ').trim());
    const signs = [...line];
    return signs.length > LONGEST ? `"${signs.slice(0, LONGEST - 1).join('')}…"` : `"${line}"`;
  };
  return {
    quote,
    quoteId: (text) => (PLAIN_ID.test(text) && hide(text) === text ? text : quote(text)),
  };
};

const writtenForms = (password: string) => [
  password,
  JSON.stringify(password).slice(1, -1),
  encodeURIComponent(password.toWellFormed()),
  Buffer.from(password).toString('base64').replace(/=+$/, ''),
];
