import { describe, expect, test } from 'vitest';
import { PROBLEM_CONTENT_TYPE } from '../../../shared/schemas/problem.ts';
import { accountOf, answerOf, consulted, startBlindServer } from './consulted.ts';
import { piecesOf } from './pieces.ts';

const CREDENTIALS = { username: 'warehouse', password: 'sesame"open\\wide&Tür-7' };
const PAIR = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64');

/** Each looks so different that what hides one does not hide another. */
const FORMS: Record<string, string> = {
  'the pair in base64': PAIR,
  'the password': CREDENTIALS.password,
  'the password in JSON': JSON.stringify(CREDENTIALS.password).slice(1, -1),
  'the password in an address': encodeURIComponent(CREDENTIALS.password),
  'the password in base64': Buffer.from(CREDENTIALS.password).toString('base64').replace(/=+$/, ''),
};

const linesFor = async (bytes: Buffer, only: string[], isJson: boolean) => {
  const server = await startBlindServer(bytes);
  const { baseUrl } = server;
  const visit = await consulted({ ...CREDENTIALS, baseUrl, only, isJson });
  await server.stop();
  return { ...visit, text: [...visit.lines, ...visit.said].join('\n') };
};

describe('an answer is quoted without', () => {
  test.each(Object.entries(FORMS))('%s, with which it begins', async (_, form) => {
    const problem = answerOf(403, JSON.stringify({ detail: `${form} is wrong` }), PROBLEM_CONTENT_TYPE);
    for (const isJson of [false, true]) {
      const { text } = await linesFor(problem, ['reach'], isJson);
      expect(text).toContain('[hidden] is wrong');
      expect(piecesOf(form, text)).toEqual([]);
    }
  });

  test.each(Object.entries(FORMS))('%s, which it tells as the id of a snapshot', async (_, form) => {
    const { text, ...visit } = await linesFor(
      answerOf(200, JSON.stringify({ SnapshotId: form })),
      ['batch-21kb'],
      false,
    );
    expect(accountOf(visit)).toEqual([
      'Written under the client warehouse: 0 changes and 1 snapshot:',
      expect.stringMatching(/^ {2}"\[hidden\]"$/),
    ]);
    expect(piecesOf(form, text)).toEqual([]);
  });
});

test('a password that is as plain as an id is hidden as well', async () => {
  const server = await startBlindServer(answerOf(200, '{"SnapshotId":"open-sesame"}'));
  const { baseUrl } = server;
  const visit = await consulted({ baseUrl, password: 'open-sesame', only: ['batch-21kb'] });
  await server.stop();
  expect(accountOf(visit).at(-1)).toBe('  "[hidden]"');
});
