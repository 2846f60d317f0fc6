import { useSyncExternalStore } from 'preact/compat';
import { type Query, toSearch } from './source.ts';

/** An address within the console, such as `#/materials/ABC-1?at=2026-03-31T09:30:00Z`. */
type Route = { page: string; parts: readonly string[]; query: URLSearchParams };

export type PageProps = { route: Route };

const decode = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const parseRoute = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...parts] = path.split('/').map(decode);
  return { page: page || 'overview', parts, query: new URLSearchParams(query) };
};

/** The address of what the page shows. The address bar may follow a little later. */
let shown = location.hash;

const show = (hash: string) => {
  shown = hash;
  dispatchEvent(new Event('route'));
};
addEventListener('hashchange', () => show(location.hash));

/** Safari allows 100 changes of the address in 30 seconds. */
const ADDRESS_EVERY_MS = 400;
let writtenAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const writeAddress = () => {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  writtenAt = Date.now();
  history.replaceState(null, '', shown);
};
// Writes the address before the browser leaves it by a link.
addEventListener('click', writeAddress);

/** Keeps `at`, because almost every page shows the stock as of this time. */
export const hrefTo = (page: string, parts: readonly string[] = [], query: Query = {}) => {
  const search = toSearch({ at: parseRoute(shown).query.get('at'), ...query });
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

/** Changes values of the query, without a new entry in the history of the browser. */
export const replaceQuery = (changes: Query) => {
  const { page, parts, query } = parseRoute(shown);
  show(hrefTo(page, parts, { ...Object.fromEntries(query), ...changes }));
  timer ??= setTimeout(writeAddress, Math.max(0, writtenAt + ADDRESS_EVERY_MS - Date.now()));
};

const subscribe = (listener: () => void) => {
  addEventListener('route', listener);
  return () => removeEventListener('route', listener);
};

export const useRoute = () => parseRoute(useSyncExternalStore(subscribe, () => shown));

/** The values of the query that a request needs. */
export const pick = (query: URLSearchParams, names: readonly string[]): Query =>
  Object.fromEntries(names.map((name) => [name, query.get(name)]));
