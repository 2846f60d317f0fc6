import { isRecord } from '../../../shared/schemas/json.ts';
import { CheckFailure } from '../outcome.ts';
import type { ProbeResponse } from './probe-client.ts';

const CHALLENGE = 'Basic realm="warehouse-control", charset="UTF-8"';
const GATEWAY = 'deploy again (infra/api/gateway-responses.ts), or configure the proxy not to change it';
const OTHER_VERSION = 'another version is deployed: deploy again';

export const THROTTLED = 'other requests use up the rate limit: try later, or raise it in cdk.json';

/** The response in one line, with its error message. */
export const describeResponse = ({ label, status, json, text, quote }: ProbeResponse) => {
  const { detail, message } = isRecord(json) ? json : {};
  const words = [detail, message, text].find((value) => typeof value === 'string');
  return `${label} answered ${status}${words ? ` ${quote(String(words))}` : ''}`;
};

/** For statuses that mean the same on every request. */
const adviseOnStatus = ({ status, json, quote }: ProbeResponse) => {
  if (status === 429) return THROTTLED;
  if (status === 503)
    return "the tables or the secrets are not available: look at the tables' throttles and the authorizer's log";
  if (status >= 300 && status < 400) return 'use the address that it redirects to, with https';
  if (status < 500) return undefined;
  const id = isRecord(json) && json['requestId'];
  return `search the function's log${id ? ` for requestId ${quote(String(id))}` : ''}`;
};

export const expectStatus = (response: ProbeResponse, status: number, todo: string) => {
  if (response.status === status) return;
  throw new CheckFailure(describeResponse(response), adviseOnStatus(response) ?? todo);
};

/** The header makes old clients send their credentials. */
export const expectChallenge = (response: ProbeResponse, todo: string) => {
  expectStatus(response, 401, todo);
  const { headers, label, quote } = response;
  const challenge = headers['www-authenticate'];
  if (challenge === CHALLENGE) return;
  const found =
    challenge === undefined ? 'without WWW-Authenticate' : `with the challenge ${quote(challenge)}`;
  throw new CheckFailure(`${label} answered 401 ${found}`, GATEWAY);
};

/** Old clients accept exactly 200, and a JSON object. */
export const expectSuccess = (response: ProbeResponse, todo: string): Record<string, unknown> => {
  expectStatus(response, 200, todo);
  if (isRecord(response.json)) return response.json;
  const type = response.quote(response.headers['content-type'] ?? 'none');
  throw new CheckFailure(
    `${describeResponse(response)} as ${type}, not a JSON object`,
    'check --base-url; look for a proxy in between',
  );
};

export const expectChange = (response: ProbeResponse, timestamp: string, todo: string) => {
  const body = JSON.stringify(expectSuccess(response, todo));
  if (body === JSON.stringify({ Timestamp: timestamp })) return;
  throw new CheckFailure(`${describeResponse(response)}, but expected the Timestamp alone`, OTHER_VERSION);
};

export const expectSnapshot = (response: ProbeResponse, entryCount: number, todo: string) => {
  const { SnapshotId, EntryCount } = expectSuccess(response, todo);
  if (typeof SnapshotId === 'string' && EntryCount === entryCount) return;
  throw new CheckFailure(
    `${response.label} answered 200 without a SnapshotId and the EntryCount ${entryCount}`,
    OTHER_VERSION,
  );
};
