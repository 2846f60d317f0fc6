import { Wrong } from './outcome.ts';

type Words = readonly [seen: string, todo: string];

const DNS: Words = [
  'DNS does not know the host of the base URL',
  'check --base-url; a domain of your own needs the record that the output DomainTarget names',
];
const UNTRUSTED: Words = [
  'this machine does not trust the certificate',
  'behind an inspecting proxy, name its root in NODE_EXTRA_CA_CERTS; else check --base-url',
];
const NO_TLS: Words = [
  'what answers does not speak TLS as it should',
  'check https, host and port of --base-url',
];
const CUT: Words = [
  'the connection was cut before an answer came',
  'check http or https in --base-url; look for a firewall or proxy in between',
];
const NO_WAY: Words = [
  'nothing can be reached at that address',
  'check the network, a firewall and --base-url',
];
const NO_HTTP: Words = [
  'what answers does not speak HTTP as it should',
  'check --base-url, http or https, port',
];

const words: Record<string, Words> = {
  ENOTFOUND: DNS,
  EAI_AGAIN: DNS,
  EAI_NODATA: DNS,
  ECONNREFUSED: ['nothing listens there (connection refused)', 'check --base-url: host and port'],
  ECONNRESET: CUT,
  EPIPE: CUT,
  ETIMEDOUT: NO_WAY,
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  EPROTO: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  CERT_HAS_EXPIRED: [
    'the certificate has expired',
    'renew it (ACM does while its DNS record stands); is the clock of this machine right?',
  ],
  CERT_NOT_YET_VALID: ['the certificate is not valid yet', 'set the clock of this machine, or wait'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'the certificate is for another name',
    'check --base-url, domain.name and domain.certificateArn in cdk.json',
  ],
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

const wordsFor = (code: string): Words | undefined => {
  if (code.startsWith('ERR_SSL_')) return NO_TLS;
  return code.startsWith('HPE_') ? NO_HTTP : words[code];
};

/** A connection that failed, in words. Anything else is a fault of this program, and said to be one. */
export const connectionFault = (error: unknown): Wrong => {
  const code = codeOf(error);
  const known = wordsFor(code);
  if (known) return new Wrong(`${known[0]} (${code})`, known[1]);
  const what = error instanceof Error ? error.name : 'unknown';
  return new Wrong(`the check itself failed (${code || what})`, 'try again; if it stays, see admin/doctor');
};
