import type { LocalRun } from '../support/local-run.ts';

export const PATH = '/live/rest/warehouse-control';
export const BODY = '{"Timestamp": "2026-03-01T08:15:30,123Z"}';
export const LENGTH = `Content-Length: ${BODY.length}`;

/** Heads of requests with credentials, byte for byte. Further headers are lines, and stay as they are given. */
export const headsFor = (run: () => LocalRun) => {
  const head = (line: string, ...headers: string[]) =>
    [line, 'Host: warehouse.test', `Authorization: ${run().authorization()}`, ...headers, '\r\n'].join(
      '\r\n',
    );
  return {
    head,
    get: (target = `${PATH}/material-codes`, ...headers: string[]) =>
      head(`GET ${target} HTTP/1.1`, ...headers),
    post: (path: string, ...headers: string[]) =>
      head(`POST ${PATH}/${path} HTTP/1.1`, 'Content-Type: application/json', ...headers),
  };
};
