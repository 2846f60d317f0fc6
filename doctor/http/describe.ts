import { isRecord } from '../../shared/schemas/json.ts';
import { PROBLEM_CONTENT_TYPE } from '../../shared/schemas/problem.ts';
import type { Response } from './client.ts';

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

const FORBIDDEN = /^\{"message": ?"Forbidden"\}$/;

/** For responses that mean the same on every request. */
export const adviseOn = ({ status, headers, json, text }: Response) => {
  if (status === 429) return 'other requests use up the rate limit: try later, or raise it in cdk.json';
  if (status === 403 && headers['content-type'] === PROBLEM_CONTENT_TYPE)
    return 'the firewall counted too many requests: wait, or raise firewall.requestsPerFiveMinutes';
  // API Gateway's response to an address without a stage.
  if (status === 403 && FORBIDDEN.test(text))
    return 'check that --base-url ends in the stage, such as /live (output BaseUrl); look for a firewall in front';
  if (status === 503)
    return "the tables or the secrets are not available: look at the tables' throttles and the authorizer's log";
  if (status >= 300 && status < 400) return 'use the address that it redirects to, with https';
  if (status < 500) return undefined;
  const id =
    isRecord(json) && typeof json['requestId'] === 'string' ? ` for requestId ${json['requestId']}` : '';
  return `search the function's log${id}`;
};
