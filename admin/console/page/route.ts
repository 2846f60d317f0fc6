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

const parseRoute = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...parts] = path.split('/').map(decode);
  return { page: page || 'overview', parts, query: new URLSearchParams(query) };
};

/** The page shows this. The address bar is updated later. */
let shown = location.hash;
/** Whether the address has to be written. A followed link has already changed it before the page knows. */
let isAddressOld = false;
/** Safari allows 100 changes of the address in 30 seconds. */
let changesLeft = 3;

const show = (hash: string) => {
  shown = hash;
  dispatchEvent(new Event('route'));
};
const writeAddress = () => {
  if (!isAddressOld) return;
  isAddressOld = false;
  history.replaceState(null, '', shown);
  changesLeft -= 1;
};

addEventListener('hashchange', () => show(location.hash));
setInterval(() => {
  changesLeft = Math.min(3, changesLeft + 1);
  writeAddress();
}, 400);
// Before the browser follows a link.
addEventListener('click', writeAddress);

type Query = { [name: string]: string | undefined };

/** Keeps `at`, because every page shows the stock as of that time. */
export const hrefTo = (page: string, parts: readonly string[] = [], query: Query = {}) => {
  const at = parseRoute(shown).query.get('at') ?? undefined;
  const values = Object.entries({ at, ...query });
  const search = new URLSearchParams(values.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}${search.size > 0 ? `?${search}` : ''}`;
};

/** Changes parts of the query without a new entry in the history of the browser. */
export const replaceQuery = (changes: Query) => {
  const { page, parts, query } = parseRoute(shown);
  show(hrefTo(page, parts, { ...Object.fromEntries(query), ...changes }));
  isAddressOld = true;
  if (changesLeft > 0) writeAddress();
};

const subscribe = (listener: () => void) => {
  addEventListener('route', listener);
  return () => removeEventListener('route', listener);
};

export const useRoute = () => parseRoute(useSyncExternalStore(subscribe, () => shown));
