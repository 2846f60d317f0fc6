import { grouped } from '../cli/words.ts';

const lists = new Intl.ListFormat('en-GB');

/** `A, B and C` */
export const named = (items: Iterable<string>) => lists.format(items);

const MOST_NAMED = 5;

/** The first few, and how many more there are. */
export const namedFew = (items: readonly string[]) => {
  const left = items.length - MOST_NAMED;
  if (left <= 1) return named(items);
  return named([...items.slice(0, MOST_NAMED), `${grouped(left)} more`]);
};

const MOST_CLIENTS = 3;

/** Those who were asked, where all of them lack something. */
export const latestOf = (clients: readonly string[]) => {
  const [only = '', ...others] = clients;
  if (others.length === 0) return `the latest snapshot of ${only}`;
  if (clients.length > MOST_CLIENTS) return `any of the latest snapshots of ${clients.length} clients`;
  return `any of the latest snapshots of ${named(clients)}`;
};
