import { expect } from 'vitest';
import { editedAssembly } from '../support/assembly.ts';
import type { HttpResponse } from '../support/http-client.ts';
import { startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { readSnapshot } from '../support/read-snapshot.ts';
import type { TableReader } from '../support/table-reader.ts';

/** The gateway calls the authorizer for each request. */
export const startWithoutCache = async () =>
  startLocal({
    assemblyFolder: await editedAssembly(({ resource }) => {
      resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 0;
    }),
  });

export const expectOk = (response: HttpResponse) =>
  expect([response.status, response.status === 200 || response.text]).toEqual([200, true]);

export const expectUnavailable = (response: HttpResponse) => {
  expectProblem(response, 503);
  expect(response.headers['retry-after']).toBe('5');
};

/** The default client. */
export const CLIENT = 'warehouse';

/** Reads with the reader of the project, which throws if a batch is not complete. */
export const expectNoHalfBatch = async (tables: TableReader, sizes: number[]) => {
  const visible = await tables.snapshotIds(CLIENT);
  const others = await Promise.all([2, 3, 4].map((part) => tables.partIds(CLIENT, part)));
  for (const id of new Set([...visible, ...others.flat()])) {
    const snapshot = await readSnapshot(tables.client, [tables.names['BalanceSnapshots'] ?? '', CLIENT, id]);
    if (visible.includes(id)) expect(sizes).toContain(snapshot?.entries.length);
    else expect(snapshot).toBeUndefined();
  }
};
