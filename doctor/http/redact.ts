import { visible } from '../../admin/cli/text-table.ts';

const LONGEST = 44;

/**
 * Makes text from a server safe to show: quoted, on one line, short and without secrets. The gateway's response repeats
 * an Authorization header that it cannot parse.
 */
export const createRedactor = (username: string, password: string) => {
  const secrets = writtenForms(username, password);
  return (text: string) => {
    // Secrets are hidden before the text is shortened, because half of a secret would not be recognized.
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    const characters = [...visible(hidden.replaceAll(/\s+/g, ' ').trim())];
    const isLong = characters.length > LONGEST;
    return `"${isLong ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('')}"`;
  };
};

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const writtenForms = (username: string, password: string) => [
  base64(`${username}:${password}`),
  password,
  inJson(password),
  inJson(inJson(password)),
  encodeURIComponent(password.toWellFormed()),
  base64(password),
];
