import type { EditableAssembly } from '../support/assembly.ts';

/**
 * A function that does what the request body says: returns its event or a given value, throws, exits, sleeps, logs, or
 * sends a number of bytes. It counts its events, which shows whether a process is reused.
 */
const SCRIPTED = `
let count = 0;
let busy = 0;
exports.handler = async (event, context) => {
  count += 1;
  busy += 1;
  const { raw, fail, exit, sleepMs, bytes, say, sayThen } = JSON.parse(event.body || '{}');
  try {
    if (say) console.log(say);
    if (fail) throw new Error(fail);
    if (exit !== undefined) process.exit(exit);
    if (sleepMs) await new Promise((resolve) => setTimeout(resolve, sleepMs));
    if (sayThen) console.log(sayThen);
    if (raw !== undefined) return raw;
    if (bytes) return { statusCode: 200, body: 'x'.repeat(bytes) };
    const { getRemainingTimeInMillis, ...rest } = context;
    const body = { event, context: { ...rest, remaining: getRemainingTimeInMillis() }, env: process.env, count, busy, pid: process.pid };
    return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  } finally {
    busy -= 1;
  }
};`;

/** The user name selects the authorizer's result. Counts the calls for each user. All users have the same API key. */
const SCRIPTED_AUTHORIZER = `
const asked = {};
const policy = (Effect, Resource) => ({ Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] });
exports.handler = async (event) => {
  const header = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'authorization')[1];
  const [user] = Buffer.from(header.split(' ')[1], 'base64').toString().split(':');
  asked[user] = (asked[user] || 0) + 1;
  const stage = event.methodArn.split('/').slice(0, 2).join('/') + '/*/*';
  const usageIdentifierKey = process.env.CLIENTS.split(':')[2].replaceAll('-', '');
  const allow = { principalId: user, policyDocument: policy('Allow', stage), usageIdentifierKey };
  const verdicts = {
    allowed: () => ({ ...allow, context: { client: 'wms', number: 7, truth: true, none: null } }),
    asked: () => ({ ...allow, context: { asked: JSON.stringify(asked), event: JSON.stringify(event) } }),
    'one-method': () => ({ ...allow, policyDocument: policy('Allow', event.methodArn) }),
    keyed: () => ({ ...allow, usageIdentifierKey: user.split('#')[1] }),
    'no-key': () => ({ ...allow, usageIdentifierKey: undefined }),
    'unknown-key': () => ({ ...allow, usageIdentifierKey: 'x'.repeat(36) }),
    'denied-without-key': () => ({ principalId: user, policyDocument: policy('Deny', stage) }),
    denied: () => ({ ...allow, policyDocument: policy('Deny', stage) }),
    'allowed-and-denied': () => ({ ...allow, policyDocument: { Version: '2012-10-17', Statement: [...policy('Allow', stage).Statement, ...policy('Deny', event.methodArn).Statement] } }),
    unauthorized: () => { throw new Error('Unauthorized'); },
    failing: () => { throw new Error('Unauthorized!'); },
    'no-policy': () => ({ principalId: user }),
    'no-principal': () => ({ policyDocument: allow.policyDocument }),
    'no-effect': () => ({ principalId: user, policyDocument: { Statement: [{ Action: '*', Resource: '*' }] } }),
    nothing: () => undefined,
    'a-string': () => 'Allow',
    'object-in-context': () => ({ ...allow, context: { client: { name: 'wms' } } }),
  };
  return verdicts[user.split('#')[0]]();
};`;

export const OPERATIONS = ['PostChange', 'GetMaterialCodes', 'GetPurchaseOrders', 'PostMaterialStockBalance'];

/** Replaces the service's functions with the scripted functions. */
export const scriptFunctions = (assembly: EditableAssembly) => {
  for (const operation of OPERATIONS) assembly.replaceCode(operation, SCRIPTED);
  assembly.replaceCode('Authorizer', SCRIPTED_AUTHORIZER);
};
