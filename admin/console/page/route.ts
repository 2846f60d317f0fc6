import { useSyncExternalStore } from 'preact/compat';
import { type Query, toSearch } from './source.ts';

/** The parts of `#/materials/ABC-1?at=2026-03-31T09:30:00Z`. In code, `address` has only the values after `?`. */
type Route = { page: string; parts: readonly string[]; address: URLSearchParams };

export type PageProps = { route: Route };

const decode = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const parseRoute = (hash: string): Route => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...parts] = path.split('/').map(decode);
  return { page: page || 'overview', parts, address: new URLSearchParams(search) };
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
  history.replaceState(history.state, '', shown);
};
// A link may lead to another page, so the address is written before the browser leaves it.
addEventListener('click', writeAddress);

/** Keeps `at`, because almost every page shows the stock as of this moment. */
export const hrefTo = (page: string, parts: readonly string[] = [], query: Query = {}) => {
  const search = toSearch({ at: parseRoute(shown).address.get('at'), ...query });
  return `#/${[page, ...parts].map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

/** Changes values in the address, without a new entry in the history of the browser. */
export const changeAddress = (changes: Query) => {
  const { page, parts, address } = parseRoute(shown);
  show(hrefTo(page, parts, { ...Object.fromEntries(address), ...changes }));
  timer ??= setTimeout(writeAddress, Math.max(0, writtenAt + ADDRESS_EVERY_MS - Date.now()));
};

const subscribe = (listener: () => void) => {
  addEventListener('route', listener);
  return () => removeEventListener('route', listener);
};

export const useRoute = () => parseRoute(useSyncExternalStore(subscribe, () => shown));

/** The values in the address that a request needs. */
export const pick = (address: URLSearchParams, names: readonly string[]): Query =>
  Object.fromEntries(names.map((name) => [name, address.get(name)]));
