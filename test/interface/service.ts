import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect } from 'vitest';
import { type Answer, basic, type Sent, send } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { type StoredBatch, type StoredChange, TableReader } from '../support/table-reader.ts';

export const OPERATIONS = [
  ['POST', 'changes'],
  ['GET', 'material-codes'],
  ['GET', 'purchase-orders'],
  ['POST', 'material-stock-balance'],
] as const;

/** The tests run against a deployment if the environment names one, otherwise against a local run. */
const { WAREHOUSE_BASE_URL, CLIENT, PASSWORD } = process.env;
export const isDeployment = Boolean(WAREHOUSE_BASE_URL);
const deployed = () => {
  if (!WAREHOUSE_BASE_URL || !CLIENT || !PASSWORD) {
    throw new Error('With BASE_URL go CLIENT, the user name, and PASSWORD.');
  }
  return { baseUrl: WAREHOUSE_BASE_URL.replace(/\/$/, ''), username: CLIENT, password: PASSWORD };
};

/** A deployment limits requests, so a request is sent again after a 429. */
export const sendUntilAdmitted = async (url: string, sent: Sent): Promise<Answer> => {
  const answer = await send(url, sent);
  if (!isDeployment || answer.status !== 429) return answer;
  await sleep(1_000);
  return sendUntilAdmitted(url, sent);
};

/** The service over HTTP, and the tables of a local run. */
export class Service {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly run: LocalRun | undefined;
  private readonly tableReader: TableReader | undefined;

  constructor(
    { baseUrl, username, password }: { baseUrl: string; username: string; password: string },
    run?: LocalRun,
  ) {
    this.baseUrl = baseUrl;
    this.username = username;
    this.password = password;
    this.run = run;
    this.tableReader = run && new TableReader(run.outputs());
  }

  get authorization() {
    return basic(this.username, this.password);
  }

  get tables() {
    if (!this.tableReader) throw new Error('The tests cannot read the tables of a deployment.');
    return this.tableReader;
  }

  readonly url = (path: string) => `${this.baseUrl}/rest/warehouse-control/${path}`;

  send(path: string, { headers = {}, ...sent }: Sent = {}): Promise<Answer> {
    return sendUntilAdmitted(this.url(path), {
      headers: { Authorization: this.authorization, ...headers },
      ...sent,
    });
  }

  get(path: string, headers: Sent['headers'] = {}) {
    return this.send(path, { headers: { 'Content-Type': 'application/json', ...headers } });
  }

  /** Sends an object as JSON, and text and bytes as they are. */
  post(path: string, body: object | string | Buffer, headers: Sent['headers'] = {}) {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: raw,
    });
  }

  /** The answer confirms the change, and the table contains it. */
  async expectChange(answer: Answer, expected: StoredChange) {
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ Timestamp: expected.Timestamp })]);
    if (isDeployment) return;
    const rows = await this.tables.changes();
    expect(rows.filter(({ Timestamp }) => Timestamp === expected.Timestamp)).toEqual([expected]);
  }

  /** The answer confirms the batch, and the table contains exactly this batch. */
  async expectBatch(answer: Answer, expected: StoredBatch) {
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    expect(answer.json()).toEqual({
      SnapshotId: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z-[0-9a-f]{12}$/),
      ReceivedAt: answer.json().SnapshotId.slice(0, 24),
      EntryCount: expected.length,
    });
    if (isDeployment) return;
    expect(await this.tables.batch(this.username, answer.json().SnapshotId)).toEqual(expected);
  }
}

/** One service for all tests of a file. */
export const useService = () => {
  let service: Service | undefined;
  beforeAll(async () => {
    service = isDeployment ? new Service(deployed()) : await localService();
  });
  return () => {
    if (!service) throw new Error('The service is there once the tests begin.');
    return service;
  };
};

const localService = async () => {
  const run = await startLocal();
  // Lets the run search its log for the password at the end.
  run.authorization();
  const [[username, password] = ['', '']] = Object.entries(run.outputs().Clients);
  return new Service({ baseUrl: run.outputs().BaseUrl, username, password }, run);
};
