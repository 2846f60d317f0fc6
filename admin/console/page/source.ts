import type { Problem } from '../api.ts';
import type { StockData } from '../stock/stock-data.ts';

const frozen = document.getElementById('data')?.textContent;

/** A report has its data in the file, and no server. */
export const isFrozen = frozen !== undefined;

export const isReadOnly = isFrozen || document.documentElement.dataset['readOnly'] === 'true';

const GONE =
  'The console does not answer. If it was stopped, start it again with the same command and open the address that it prints.';

const request = async (path: string, options: RequestInit = {}) => {
  const response = await fetch(`api/${path}`, options).catch(() => {
    throw new Error(GONE);
  });
  if (response.ok || response.status === 304) return response;
  const problem: Partial<Problem> = await response.json().catch(() => ({}));
  throw new Error(problem.message ?? `The console answered with status ${response.status}.`);
};

/** The caller encodes the parts of the path. */
export const get = async <T>(path: string): Promise<T> => (await request(path)).json();

export const post = async <T>(path: string, body: unknown): Promise<T> => {
  const isFile = body instanceof Blob;
  const headers = { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' };
  const options = { method: 'POST', headers, body: isFile ? body : JSON.stringify(body) };
  return (await request(path, options)).json();
};

/** Downloads a file. The server names it. */
export const getFile = async (path: string) => {
  const response = await request(path);
  const header = response.headers.get('Content-Disposition') ?? '';
  const [, name = ''] = /filename\*=UTF-8''(.+)$/.exec(header) ?? [];
  return { name: decodeURIComponent(name), blob: await response.blob() };
};

type Stock = { data: StockData; version: string };

/** Returns undefined if nothing has changed since that version. */
export const readStock = async (path: string, version?: string): Promise<Stock | undefined> => {
  if (frozen !== undefined) return { data: JSON.parse(frozen), version: '' };
  const response = await request(path, { headers: version ? { 'If-None-Match': version } : {} });
  if (response.status === 304) return undefined;
  return { data: await response.json(), version: response.headers.get('ETag') ?? '' };
};
