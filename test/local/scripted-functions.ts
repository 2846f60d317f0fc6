import type { EditableAssembly } from '../support/assembly.ts';

/**
 * A function that does what the body asks for: answers what it got, or a given value, throws, ends, sleeps, or sends
 * so many bytes. It counts its events, to tell a warm process from a new one.
 */
const OBEDIENT = `
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

/** An authorizer whose verdict is the user name, and which tells how often it was asked about each. */
const VERDICTS = `
const asked = {};
const policy = (Effect, Resource) => ({ Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] });
exports.handler = async (event) => {
  const header = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'authorization')[1];
  const [user] = Buffer.from(header.split(' ')[1], 'base64').toString().split(':');
  asked[user] = (asked[user] || 0) + 1;
  const stage = event.methodArn.split('/').slice(0, 2).join('/') + '/*/*';
  const allow = { principalId: user, policyDocument: policy('Allow', stage) };
  const verdicts = {
    allowed: () => ({ ...allow, context: { client: 'wms', number: 7, truth: true } }),
    asked: () => ({ ...allow, context: { asked: JSON.stringify(asked), event: JSON.stringify(event) } }),
    'one-method': () => ({ ...allow, policyDocument: policy('Allow', event.methodArn) }),
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

/** Puts the obedient functions in the place of the service's own. */
export const scriptFunctions = (assembly: EditableAssembly) => {
  for (const operation of OPERATIONS) assembly.replaceCode(operation, OBEDIENT);
  assembly.replaceCode('Authorizer', VERDICTS);
};
