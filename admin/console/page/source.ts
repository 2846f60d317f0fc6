import type { ErrorMessage } from '../api.ts';

export const isReadOnly = document.documentElement.dataset['readOnly'] === 'true';

const GONE =
  'The console does not respond. If it was stopped, start it again with the same command and open the link that it prints.';

const request = async (path: string, options: RequestInit = {}) => {
  const response = await fetch(`api/${path}`, options).catch((error: unknown) => {
    throw options.signal?.aborted ? error : new Error(GONE);
  });
  if (response.ok) return response;
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

/** The caller encodes the path. */
export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await request(path, signal ? { signal } : {})).json();

export const post = async <T>(path: string, body: unknown): Promise<T> => {
  const isFile = body instanceof Blob;
  const headers = { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' };
  const options = { method: 'POST', headers, body: isFile ? body : JSON.stringify(body) };
  return (await request(path, options)).json();
};

/** Downloads a file, with its name and its notices from the headers. */
export const getFile = async (path: string) => {
  const response = await request(path);
  const header = response.headers.get('Content-Disposition') ?? '';
  const [, name = ''] = /filename\*=UTF-8''(.+)$/.exec(header) ?? [];
  const notices: string[] = JSON.parse(decodeURIComponent(response.headers.get('Notices') ?? '[]'));
  return { name: decodeURIComponent(name), blob: await response.blob(), notices };
};
