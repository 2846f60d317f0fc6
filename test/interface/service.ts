import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect } from 'vitest';
import { basic, type HttpResponse, type SentRequest, send } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { type StoredBatch, type StoredChange, TableReader } from '../support/table-reader.ts';

export const OPERATIONS = [
  ['POST', 'changes'],
  ['GET', 'material-codes'],
  ['GET', 'purchase-orders'],
  ['POST', 'material-stock-balance'],
] as const;

/** The tests run against a deployment if the environment names one, otherwise against a local run. */
const { WAREHOUSE_BASE_URL, CLIENT, WAREHOUSE_PASSWORD } = process.env;
export const isDeployment = Boolean(WAREHOUSE_BASE_URL);
const loginOfDeployment = () => {
  if (!WAREHOUSE_BASE_URL || !CLIENT || !WAREHOUSE_PASSWORD) {
    throw new Error('Set CLIENT (the user name) and WAREHOUSE_PASSWORD together with BASE_URL.');
  }
  return { baseUrl: WAREHOUSE_BASE_URL.replace(/\/$/, ''), userName: CLIENT, password: WAREHOUSE_PASSWORD };
};

/** Sends a request again after a 429, because a deployment limits requests. */
export const sendUntilAdmitted = async (url: string, sent: SentRequest): Promise<HttpResponse> => {
  const response = await send(url, sent);
  if (!isDeployment || response.status !== 429) return response;
  await sleep(1_000);
  return sendUntilAdmitted(url, sent);
};

type Login = { baseUrl: string; userName: string; password: string };

/** The service over HTTP, and the tables of a local run. */
const serviceAt = ({ baseUrl, userName, password }: Login, run?: LocalRun) => {
  const authorization = basic(userName, password);
  const reader = run && new TableReader(run.outputs());
  const url = (path: string) => `${baseUrl}/rest/warehouse-control/${path}`;
  const send = (path: string, { headers = {}, ...sent }: SentRequest = {}) =>
    sendUntilAdmitted(url(path), { headers: { Authorization: authorization, ...headers }, ...sent });
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  return {
    baseUrl,
    userName,
    password,
    run,
    authorization,
    url,
    send,
    get tables() {
      if (!reader) throw new Error('The tests cannot read the tables of a deployment.');
      return reader;
    },
    get: (path: string) => send(path, { headers: JSON_TYPE }),
    /** Sends an object as JSON, and text and bytes as they are. */
    post: (path: string, body: object | string | Buffer, headers: SentRequest['headers'] = {}) => {
      const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      return send(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: raw });
    },
    /** The response confirms the change, and the table contains it. */
    expectChange: async (response: HttpResponse, expected: StoredChange) => {
      expect([response.status, response.text]).toEqual([
        200,
        JSON.stringify({ Timestamp: expected.Timestamp }),
      ]);
      const rows = (await reader?.changes()) ?? [expected];
      expect(rows.filter(({ Timestamp }) => Timestamp === expected.Timestamp)).toEqual([expected]);
    },
    /** The response confirms the batch, and the table contains exactly this batch. */
    expectBatch: async (response: HttpResponse, expected: StoredBatch) => {
      expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, '']);
      const { SnapshotId } = response.json();
      expect(response.json()).toEqual({
        SnapshotId: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z-[0-9a-f]{12}$/),
        ReceivedAt: SnapshotId.slice(0, 24),
        EntryCount: expected.length,
      });
      if (reader) expect(await reader.batch(userName, SnapshotId)).toEqual(expected);
    },
  };
};

export type Service = ReturnType<typeof serviceAt>;

let service: Service | undefined;

/** One service for all tests of a test file, also of the files that it imports. */
export const useService = () => {
  beforeAll(async () => {
    service ??= isDeployment ? serviceAt(loginOfDeployment()) : await localService();
  });
  return () => {
    if (!service) throw new Error('The service starts with the first test.');
    return service;
  };
};

const localService = async () => {
  const run = await startLocal();
  // Lets the run search its log for the password at the end.
  run.authorization();
  const [[userName, password] = ['', '']] = Object.entries(run.outputs().Clients);
  return serviceAt({ baseUrl: run.outputs().BaseUrl, userName, password }, run);
};
