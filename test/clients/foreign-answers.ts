import type { Reply } from './unreliable-way.ts';

type Foreign = {
  reply: Reply;
  /** Each of these stands in what the program says. */
  told: string[];
};

const html = (status: number, body: string) => ({ status, headers: { 'Content-Type': 'text/html' }, body });

const json = (status: number, body: unknown) => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const NOT_OURS = "HTTP 200, but not the service's answer: ";

/** What a portal, a proxy or the platform may answer in the service's place. */
export const foreignAnswers = {
  'a page to sign in at': {
    reply: html(200, '<html><title>Sign in</title></html>'),
    told: [`${NOT_OURS}<html><title>Sign in`],
  },
  'a page with nothing on it': { reply: html(200, ''), told: [NOT_OURS] },
  'no JSON under the name of it': {
    reply: { ...json(200, {}), body: 'Sign in' },
    told: [`${NOT_OURS}Sign in`],
  },
  'nothing under the name of JSON': { reply: { ...json(200, {}), body: '' }, told: [NOT_OURS] },
  'a list where an object is due': { reply: json(200, []), told: [`${NOT_OURS}[]`] },
  'a list of the right words': { reply: json(200, ['Timestamp']), told: [`${NOT_OURS}["Timestamp"]`] },
  'an object of somebody else': { reply: json(200, { up: true }), told: [`${NOT_OURS}{"up":true}`] },
  'a page that says no': {
    reply: html(403, '<html><title>Blocked</title></html>'),
    told: ['HTTP 403: <html><title>Blocked'],
  },
  'a refusal of the platform': {
    reply: json(403, { message: 'Forbidden' }),
    told: ['HTTP 403: {"message":"Forbidden"}'],
  },
  'a refusal that is a list': { reply: json(403, ['Blocked']), told: ['HTTP 403: ["Blocked"]'] },
  'a problem without an id': {
    reply: json(403, { detail: 'Blocked by the proxy.' }),
    told: ['HTTP 403: ', 'Blocked by the proxy.'],
  },
  'a problem whose faults lack a place or words': {
    reply: json(403, {
      detail: 'Blocked by the proxy.',
      requestId: 'of-the-proxy',
      errors: [{ detail: 'Too strange.' }, { pointer: '#/Timestamp' }],
    }),
    told: ['HTTP 403: ', 'Blocked by the proxy.', 'of-the-proxy', 'Too strange.', '#/Timestamp'],
  },
} satisfies Record<string, Foreign>;
