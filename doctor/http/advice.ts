import { explain, Failure } from '../../admin/text/failure.ts';
import { quote } from '../../admin/text/quote.ts';
import { PROBLEM_CONTENT_TYPE } from '../../shared/http/problem.ts';
import type { Login, Response } from './caller.ts';

/** The text of the response for people. */
export const messageOf = ({ json, text }: Response) =>
  String([json['detail'], json['message'], text].find((candidate) => typeof candidate === 'string'));

/** Advice that depends only on the response, not on the request. */
export const adviseOnResponse = ({ status, headers, json, text }: Response) => {
  if (status === 429)
    return "other requests use up the limits of the client's slot or of the API stage: try later, or raise plans or throttle in cdk.json";
  if (status === 403 && headers['content-type'] === PROBLEM_CONTENT_TYPE)
    return 'the firewall counted too many requests: wait, or raise firewall.requestsPerFiveMinutes';
  // API Gateway's response to a URL without an API stage.
  if (status === 403 && /^\{"message": ?"Forbidden"\}$/.test(text))
    return 'check that --base-url ends in the API stage, such as /live (output BaseUrl); look for a firewall in front of the service';
  if (status === 503)
    return "if there is no client yet, add one: `npx warehouse-admin clients add NAME`; else look at the tables' throttles and the authorizer's log";
  if (status >= 300 && status < 400) return 'use the URL that it redirects to, with https';
  if (![500, 502, 504].includes(status)) return undefined;
  const id = typeof json['requestId'] === 'string' ? ` for requestId ${json['requestId']}` : '';
  return `search the function's log${id}`;
};

/**
 * Makes text from a server safe to show: quoted, on one line, short and without secrets. If the gateway cannot parse an
 * Authorization header, its response repeats the header.
 */
export const quoteSafely = (text: string, login: Login) => {
  // Secrets are hidden before the text is shortened, because half of a secret would not be recognized.
  const safeText = secretsOf(login).reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text);
  return quote(safeText.replaceAll(/\s+/g, ' ').trim());
};

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The password in each form in which a response may repeat it. */
export const secretsOf = ({ userName, password }: Login) => [
  base64(`${userName}:${password}`),
  password,
  inJson(password),
  inJson(inJson(password)),
  encodeURIComponent(password.toWellFormed()),
  base64(password),
];

/** The key says what was seen and what to do. The value matches the codes of the errors. */
const connectionErrors: Record<string, RegExp> = {
  'DNS has no record of the host of the base URL; check --base-url; your own domain needs a record with the value of the output DomainTarget':
    /^(ENOTFOUND|EAI_)/,
  'the connection was closed before the response; check http or https in --base-url; look for a firewall or proxy in between':
    /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
  'a compressed response does not decompress; find the proxy or CDN that changes the response': /^Z_/,
  'the connection ended without a response; something other than the service listens there: check --base-url, and proxies in between':
    /^NoResponse$/,
  'nothing responds at the base URL; check the host and port of --base-url, the network and firewalls':
    /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
  'the server does not speak the protocol of the base URL; check --base-url: http or https, host and port':
    /^(HPE_|EPROTO$|ERR_SSL_)/,
  'this machine does not trust the certificate; check --base-url and domain in cdk.json; for an inspecting proxy, set NODE_EXTRA_CA_CERTS to its root':
    /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED|^ERR_TLS_CERT_ALTNAME_INVALID/,
  'the certificate has expired or is not valid yet; renew it (ACM does so while its DNS record exists); check the clock of this machine':
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
};

export const codeOf = (error: unknown) => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.name;
};

/** Explains a failed connection. The message of a Failure is for people already. Other errors come from APIs of AWS or mistakes in the doctor. */
export const explainError = (error: unknown) => {
  if (error instanceof Failure) return error.message;
  const code = codeOf(error);
  const [explanation] = Object.entries(connectionErrors).find(([, codes]) => codes.test(code)) ?? [];
  if (explanation) return `${explanation} (${code})`;
  return `the check itself failed: ${explain(error, '')}; try again; if it fails again, look into doctor/`;
};
