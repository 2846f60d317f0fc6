import { visible } from '../../admin/cli/text-table.ts';
import { isRecord } from '../../shared/schemas/json.ts';
import { PROBLEM_CONTENT_TYPE } from '../../shared/schemas/problem.ts';
import type { Response, Service } from './client.ts';

/** The status and the content type, and the status in the body if it differs. */
export const describe = ({ status, headers, json }: Response) => {
  const statusInBody = isRecord(json) && json['status'];
  const contradiction = statusInBody && statusInBody !== status ? `, but ${statusInBody} in the body` : '';
  return `${status} ${headers['content-type'] ?? 'without a content type'}${contradiction}`;
};

const CHALLENGE = 'Basic realm="warehouse-control", charset="UTF-8"';

/** The challenge makes old clients send their credentials. */
export const describeChallenge = ({ status, headers }: Response) => {
  const challenge = headers['www-authenticate'];
  if (challenge === CHALLENGE) return `${status} with the challenge`;
  return `${status} ${challenge ? 'with another challenge' : 'without WWW-Authenticate'}`;
};

/** The places of the faults in a refused body. */
export const describeFaults = ({ status, json }: Response) => {
  const { errors } = isRecord(json) ? json : {};
  const faults: unknown[] = Array.isArray(errors) ? errors : [];
  return [status, ...faults.map((fault) => isRecord(fault) && fault['pointer'])].join(' ');
};

/** What the response says to people. */
export const messageOf = ({ json, text }: Response) => {
  const { detail, message } = isRecord(json) ? json : {};
  return String([detail, message, text].find((words) => typeof words === 'string'));
};

/** For responses that mean the same on every request. */
export const adviseOn = ({ status, headers, json, text }: Response) => {
  if (status === 429) return 'other requests use up the rate limit: try later, or raise it in cdk.json';
  if (status === 403 && headers['content-type'] === PROBLEM_CONTENT_TYPE)
    return 'the firewall counted too many requests: wait, or raise firewall.requestsPerFiveMinutes';
  // API Gateway's response to an address without a stage.
  if (status === 403 && /^\{"message": ?"Forbidden"\}$/.test(text))
    return 'check that --base-url ends in the stage, such as /live (output BaseUrl); look for a firewall in front';
  if (status === 503)
    return "the tables or the secrets are not available: look at the tables' throttles and the authorizer's log";
  if (status >= 300 && status < 400) return 'use the address that it redirects to, with https';
  if (status < 500) return undefined;
  const id =
    isRecord(json) && typeof json['requestId'] === 'string' ? ` for requestId ${json['requestId']}` : '';
  return `search the function's log${id}`;
};

const LONGEST_QUOTE = 44;

/**
 * Makes text from a server safe to show: quoted, on one line, short and without secrets. The gateway's response repeats
 * an Authorization header that it cannot parse.
 */
export const quote = (text: string, service: Service) => {
  // Secrets are hidden before the text is shortened, because half of a secret would not be recognized.
  const hidden = secretsOf(service).reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
  const characters = [...visible(hidden.replaceAll(/\s+/g, ' ').trim())];
  const isLong = characters.length > LONGEST_QUOTE;
  return `"${isLong ? `${characters.slice(0, LONGEST_QUOTE - 1).join('')}…` : characters.join('')}"`;
};

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The password in each form in which a response may repeat it. */
const secretsOf = ({ username, password }: Service) => [
  base64(`${username}:${password}`),
  password,
  inJson(password),
  inJson(inJson(password)),
  encodeURIComponent(password.toWellFormed()),
  base64(password),
];
