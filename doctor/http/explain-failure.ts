import { explain } from '../../admin/cli/failure.ts';

/** What was seen and what to do, by the codes of errors. */
const failures: Record<string, RegExp> = {
  'DNS has no record of the host of the base URL; check --base-url; your own domain needs a record with the value of the output DomainTarget':
    /^(ENOTFOUND|EAI_)/,
  'the connection was closed before the response; check http or https in --base-url; look for a firewall or proxy in between':
    /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/,
  'a compressed response does not decompress; find the proxy or CDN that changes it': /^Z_/,
  'the connection ended without a response; this is not the service: check --base-url, and proxies in between':
    /^NoResponse$/,
  'nothing answers at that address; check the host and port of --base-url, the network and firewalls':
    /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
  'the server does not speak the protocol of the base URL; check --base-url: http or https, host and port':
    /^(HPE_|EPROTO$|ERR_SSL_)/,
  'this machine does not trust the certificate; check --base-url and domain in cdk.json; for an inspecting proxy, set NODE_EXTRA_CA_CERTS to its root':
    /SELF_SIGNED|^UNABLE_TO_|^CERT_UNTRUSTED|^ERR_TLS_CERT_ALTNAME_INVALID/,
  'the certificate has expired or is not valid yet; renew it (ACM does so while its DNS record exists); check the clock of this machine':
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
};

const codeOf = (error: unknown) => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : error.name;
};

/** Explains a failed connection. Any other error is about the APIs of AWS, or a fault of the doctor. */
export const explainFailure = (error: unknown) => {
  const code = codeOf(error);
  const [known] = Object.entries(failures).find(([, codes]) => codes.test(code)) ?? [];
  if (known) return `${known} (${code})`;
  return `the check itself failed: ${explain(error)}; try again; if it fails again, look into doctor/`;
};
