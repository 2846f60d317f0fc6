import { useSyncExternalStore } from 'preact/compat';
import type { AddressTexts } from '../addresses.ts';
import { type Query, toSearch } from './source.ts';

/** `segments` and `parameters` of `#/materials/ABC-1?at=2026-03-31T09:30:00Z` are ABC-1 and what follows `?`. */
type Route = { page: string; segments: readonly string[]; parameters: URLSearchParams };

const decode = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const parseRoute = (hash: string): Route => {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...segments] = path.split('/').map(decode);
  return { page: page || 'overview', segments, parameters: new URLSearchParams(search) };
};

/** The address of what the page shows. The address bar may follow a little later. */
let shown = location.hash;

const show = (hash: string) => {
  shown = hash;
  dispatchEvent(new Event('route'));
};
addEventListener('hashchange', () => {
  // A dialog may show something only once, such as a password, so the page below stays until the dialog closes.
  if (!document.querySelector('dialog')) show(location.hash);
});
addEventListener('close', () => show(location.hash), true);

/** Safari allows 100 changes of the address in 30 seconds. */
const ADDRESS_EVERY_MS = 400;
let writtenAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const writeAddress = () => {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  writtenAt = performance.now();
  history.replaceState(history.state, '', shown);
};
// Before a link leads to another page, writes the address that still waits.
addEventListener('click', writeAddress);

/** Keeps `at`, because almost every page shows the stock as of its moment. */
export const hrefTo = (page: string, segments: readonly string[] = [], query: Query = {}) => {
  const search = toSearch({ at: parseRoute(shown).parameters.get('at'), ...query });
  return `#/${[page, ...segments].map(encodeURIComponent).join('/')}${search && `?${search}`}`;
};

/** The address that the page shows, with other values. */
export const hrefWith = (changes: Query, otherSegments?: readonly string[]) => {
  const { page, segments, parameters } = parseRoute(shown);
  return hrefTo(page, otherSegments ?? segments, { ...Object.fromEntries(parameters), ...changes });
};

/** Changes values in the address, without a new entry in the history of the browser. Other rows begin at their first page. */
export const changeAddress = (changes: Query) => {
  show(hrefWith({ page: undefined, ...changes }));
  timer ??= setTimeout(writeAddress, Math.max(0, writtenAt + ADDRESS_EVERY_MS - performance.now()));
};

const subscribe = (listener: () => void) => {
  addEventListener('route', listener);
  return () => removeEventListener('route', listener);
};

export const useRoute = () => parseRoute(useSyncExternalStore(subscribe, () => shown));

/** The values in the address that a request needs. */
export const pick = <TName extends keyof AddressTexts>(
  parameters: URLSearchParams,
  names: readonly TName[],
): AddressTexts => Object.fromEntries(names.map((name) => [name, parameters.get(name)]));
