import { isRecord } from '../../shared/schemas/json.ts';
import { PROBLEM_CONTENT_TYPE } from '../../shared/schemas/problem.ts';
import { Wrong } from './outcome.ts';
import { excerptOf, type Told } from './probe-client.ts';

export const CHALLENGE = 'Basic realm="warehouse-control", charset="UTF-8"';
const RENAMED = 'x-amzn-remapped-www-authenticate';

const SHAPE = 'deploy again, or find the proxy that rewrites answers';

export const answered = (told: Told) => `${told.to} answered ${told.status}${excerptOf(told)}`;

const requestIdOf = ({ json }: Told) => (isRecord(json) ? String(json['requestId'] ?? '') : '');

export const THROTTLED = 'others use up the throttle: try later, or raise it in cdk.json';

/** Where the status alone tells what to look at, whatever was asked. */
const todoOf = (told: Told): string | undefined => {
  if (told.status === 429) return THROTTLED;
  if (told.status === 503) return 'the tables cannot take it now: look at their throttles in CloudWatch';
  if (told.status >= 300 && told.status < 400) return 'give the address that it redirects to, with https';
  if (told.status < 500) return undefined;
  const id = requestIdOf(told);
  return id === ''
    ? "look into the function's log"
    : `find the requestId ${told.quote(id)} in the function's log`;
};

export const expectStatus = (told: Told, status: number, todo: string) => {
  if (told.status !== status) throw new Wrong(answered(told), todoOf(told) ?? todo);
};

const typeOf = ({ headers }: Told) => headers['content-type'] ?? 'none';

const isFilled = (value: unknown) => typeof value === 'string' && value !== '';

export const isProblem = (told: Told) => typeOf(told).split(';')[0] === PROBLEM_CONTENT_TYPE;

/** An error in the one shape that all errors have. */
export const expectProblem = (told: Told, status: number, todo: string): Record<string, unknown> => {
  expectStatus(told, status, todo);
  const { json } = told;
  if (!isProblem(told) || !isRecord(json)) {
    const what = isProblem(told) ? 'with no JSON' : `as ${told.quote(typeOf(told))}`;
    throw new Wrong(`${told.to} answered ${status} ${what}, not as ${PROBLEM_CONTENT_TYPE}`, SHAPE);
  }
  const missing = ['type', 'title', 'detail', 'requestId'].filter((field) => !isFilled(json[field]));
  if (missing.length > 0)
    throw new Wrong(`${told.to} answered ${status} without ${missing.join(', ')}`, SHAPE);
  if (json['status'] !== status) {
    const said = told.quote(String(json['status']));
    throw new Wrong(`${told.to} answered ${status}, and its body says the status ${said}`, SHAPE);
  }
  return json;
};

/** What makes a client send its credentials. */
export const expectChallenge = (told: Told, todo: string) => {
  expectProblem(told, 401, todo);
  const challenge = told.headers['www-authenticate'];
  if (challenge === CHALLENGE) return;
  if (told.headers[RENAMED] !== undefined) {
    throw new Wrong(
      `the challenge of ${told.to} came renamed to ${RENAMED}`,
      'let infra/api/gateway-responses.ts answer it, and deploy',
    );
  }
  throw new Wrong(
    challenge === undefined
      ? `${told.to} answered 401 without WWW-Authenticate`
      : `${told.to} answered 401 with the challenge ${told.quote(challenge)}`,
    'deploy again (infra/api/gateway-responses.ts), or let the proxy pass it',
  );
};

/** A success: 200 exactly, and a JSON object. */
export const expectSuccess = (told: Told, todo: string): Record<string, unknown> => {
  expectStatus(told, 200, todo);
  if (!/^application\/json *(;|$)/i.test(typeOf(told)) || !isRecord(told.json)) {
    throw new Wrong(
      `${told.to} answered 200 as ${told.quote(typeOf(told))}${excerptOf(told)}, not as JSON`,
      'check --base-url; is a proxy in between?',
    );
  }
  return told.json;
};

export const expectPlain = (told: Told) => {
  const coding = told.headers['content-encoding'];
  if (coding === undefined || coding === 'identity') return;
  throw new Wrong(
    `${told.to} came packed (${told.quote(coding)}) although gzip was not asked for`,
    'a proxy or CDN in between packs it: switch that off there',
  );
};

const OTHER_VERSION = 'another version is deployed: deploy again';

/** Kept, and answered with the Timestamp and nothing else. */
export const expectChange = (told: Told, timestamp: string, todo: string) => {
  const body = expectSuccess(told, todo);
  if (JSON.stringify(body) === JSON.stringify({ Timestamp: timestamp })) return;
  throw new Wrong(`${told.to} answered 200 ${told.quote(told.text)}, not the Timestamp alone`, OTHER_VERSION);
};

/** Kept whole, as one snapshot. */
export const expectSnapshot = (told: Told, entryCount: number, todo: string) => {
  const body = expectSuccess(told, todo);
  const fields = Object.keys(body).toSorted().join();
  if (fields !== 'EntryCount,ReceivedAt,SnapshotId') {
    throw new Wrong(`${told.to} answered 200 with the fields ${told.quote(fields)}`, OTHER_VERSION);
  }
  if (body['EntryCount'] !== entryCount) {
    const count = told.quote(String(body['EntryCount']));
    throw new Wrong(`${told.to} answered EntryCount ${count} for ${entryCount} entries`, OTHER_VERSION);
  }
};
