import { isIP } from 'node:net';

type Endpoint = { host: string; port: number; servername?: string };

/** Where to connect to without a library for HTTP. An address is no server name, which TLS asks for. */
export const endpointOf = (baseUrl: string): Endpoint => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const usual = protocol === 'https:' ? 443 : 80;
  return { host, port: Number(port || usual), ...(isIP(host) ? {} : { servername: host }) };
};
