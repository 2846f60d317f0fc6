import { explain } from '../../admin/cli/failure.ts';

const failures: [RegExp, seen: string, todo: string][] = [
  [
    /^(ENOTFOUND|EAI_)/,
    'DNS has no record of the host of the base URL',
    'check --base-url; your own domain needs a record with the value of the output DomainTarget',
  ],
  [
    /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
    'the connection was closed before the response',
    'check http or https in --base-url; look for a firewall or proxy in between',
  ],
  [/^Z_/, 'a compressed response does not decompress', 'find the proxy or CDN that changes it'],
  [
    /^NoResponse$/,
    'the connection ended without a response',
    'this is not the service: check --base-url, and proxies in between',
  ],
  [
    /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'nothing answers at that address',
    'check the host and port of --base-url, the network and firewalls',
  ],
  [
    /^(HPE_|EPROTO$|ERR_SSL_)/,
    'the server does not speak the protocol of the base URL',
    'check --base-url: http or https, host and port',
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED|^ERR_TLS_CERT_ALTNAME_INVALID/,
    'this machine does not trust the certificate',
    'check --base-url and domain in cdk.json; for an inspecting proxy, set NODE_EXTRA_CA_CERTS to its root',
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    'the certificate has expired or is not valid yet',
    'renew it (ACM does so while its DNS record exists); check the clock of this machine',
  ],
];

const codeOf = (error: unknown) => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.name;
};

/** Explains a failed connection. Any other error is about the APIs of AWS, or a fault of the doctor. */
export const explainFailure = (error: unknown) => {
  const code = codeOf(error);
  const [, seen, todo] = failures.find(([pattern]) => pattern.test(code)) ?? [];
  if (seen && todo) return { seen: `${seen} (${code})`, todo };
  return {
    seen: `the check itself failed: ${explain(error)}`,
    todo: 'try again; if it fails again, look into doctor/',
  };
};
