import { basic } from '../support/http-client.ts';

export type Credentials = { username: string; password: string };

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Authorization headers with a wrong password, user name or form. */
export const wrongHeaders = ({ username, password }: Credentials) => {
  const pair = `${username}:${password}`;
  const right = basic(username, password);
  return [
    basic(username, `${password}x`),
    basic(username, `${password} `),
    basic(username, `${password}\0`),
    basic(username, password.slice(0, -1)),
    basic(username, password.slice(1)),
    basic(username, password.toLowerCase()),
    basic(`${username}x`, password),
    basic(username.toUpperCase(), password),
    basic('', password),
    basic(username, ''),
    'Basic',
    'Basic !!!!',
    `Basic ${pair}`,
    `Basic ${base64(username)}`,
    `Basic ${base64(`:${pair}`)}`,
    `Basic ${base64(` ${pair}`)}`,
    `Basic ${Buffer.from(pair).toString('hex')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
    right.replace('Basic', 'Digest'),
    right.replace('Basic ', ''),
    right.replace(' ', ''),
    `${right} ${base64(pair)}`,
    `${right}, ${right}`,
  ];
};
