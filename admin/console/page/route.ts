import { useSyncExternalStore } from 'preact/compat';

/** An address within the console, such as `#/materials/ABC-1?at=2026-03-31T09:30:00Z`. */
export type Route = { page: string; parts: readonly string[]; query: URLSearchParams };

const decode = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const parseRoute = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...parts] = path.split('/').map(decode);
  return { page: page || 'overview', parts, query: new URLSearchParams(query) };
};

type Query = { [name: string]: string | undefined };

/** Keeps the time that the console is as of, because every page has it. */
export const hrefTo = (page: string, parts: readonly string[] = [], query: Query = {}) => {
  const at = parseRoute(location.hash).query.get('at') ?? undefined;
  const search = toSearch({ at, ...query });
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

const toSearch = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
  ).toString();

/** Changes parts of the query without a new entry in the history of the browser. */
export const replaceQuery = (changes: Query) => {
  const { page, parts, query } = parseRoute(location.hash);
  const href = hrefTo(page, parts, { ...Object.fromEntries(query), ...changes });
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
};

const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

export const useRoute = (): Route => parseRoute(useSyncExternalStore(subscribe, () => location.hash));
