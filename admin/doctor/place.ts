import { isIP } from 'node:net';

type Place = { host: string; port: number; servername?: string };

/** Where to connect to without a library for HTTP. An address is no server name, which TLS asks for. */
export const placeOf = (baseUrl: string): Place => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const usual = protocol === 'https:' ? 443 : 80;
  return { host, port: Number(port || usual), ...(isIP(host) ? {} : { servername: host }) };
};
