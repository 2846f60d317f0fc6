import type { ErrorMessage } from '../api.ts';
import { decimalSign, timeZone } from './format.ts';

export const isReadOnly = document.documentElement.dataset['readOnly'] === 'true';

const GONE =
  'The console does not respond. If it was stopped, start it again with the same command and open the link that it prints.';

const NOT_COMPLETE =
  'The response of the console is not complete. Try again. If you were changing something, first load the page again and see whether it is changed.';

const fail = (message: string) => () => {
  throw new Error(message);
};

/** The console writes sentences, workbooks and the names of files for this reader. */
const READER = { 'Time-Zone': timeZone, 'Decimal-Sign': decimalSign };

const request = async <T>(path: string, read: (response: Response) => Promise<T>, options?: RequestInit) => {
  const response = await fetch(`api/${path}`, {
    ...options,
    headers: { ...options?.headers, ...READER },
  }).catch(fail(GONE));
  if (response.ok) return read(response).catch(fail(NOT_COMPLETE));
  const { message }: Partial<ErrorMessage> = await response.json().catch(() => ({}));
  throw new Error(message ?? `The console responded with status ${response.status}.`);
};

export type Query = { readonly [name: string]: string | null | undefined };

/** Leaves out names without a value. */
export const toSearch = (query: Query) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return new URLSearchParams(pairs).toString();
};

/** Encodes the parts of a path. */
export const pathTo = (parts: readonly string[], query: Query = {}) =>
  `${parts.map(encodeURIComponent).join('/')}?${toSearch(query)}`;

const readJson = (response: Response) => response.json();

/** The caller encodes the path. */
export const get = <T>(path: string, signal?: AbortSignal) =>
  request<T>(path, readJson, signal && { signal });

export const post = <T>(path: string, body: unknown) => {
  const isFile = body instanceof Blob;
  const headers = { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' };
  const content = isFile ? body : JSON.stringify(body);
  return request<T>(path, readJson, { method: 'POST', headers, body: content });
};

/** Downloads a file, with its name and its notices from the headers. */
export const getFile = (path: string) =>
  request(path, async (response) => {
    const header = response.headers.get('Content-Disposition') ?? '';
    const [, name = ''] = /filename\*=UTF-8''(.+)$/.exec(header) ?? [];
    const notices: string[] = JSON.parse(decodeURIComponent(response.headers.get('Notices') ?? '[]'));
    return { name: decodeURIComponent(name), blob: await response.blob(), notices };
  });
