import type { EditableAssembly } from '../../support/assembly.ts';

/**
 * A function that does what the request body says: returns what it knows of itself, throws, exits, sleeps, logs or uses memory. It
 * counts its events, which shows whether a process is reused.
 */
const SCRIPTED = `
let count = 0;
let busy = 0;
exports.handler = async (event, context) => {
  count += 1;
  busy += 1;
  const { fail, exit, sleepMs, say, bufferMb, heapMb, responseBytes } = JSON.parse(event.body || '{}');
  try {
    if (say) console.log(say);
    if (bufferMb) Buffer.alloc(bufferMb * 1024 * 1024, 1);
    if (heapMb) Array.from({ length: heapMb }, (_, index) => Array(131072).fill(index + 0.5));
    if (responseBytes) return { body: 'é' + 'x'.repeat(responseBytes - Buffer.byteLength(JSON.stringify({ body: 'é' }))) };
    if (fail) throw new Error(fail);
    if (exit !== undefined) process.exit(exit);
    if (sleepMs) await new Promise((resolve) => setTimeout(resolve, sleepMs));
    const { getRemainingTimeInMillis, ...rest } = context;
    const body = { context: { ...rest, remaining: getRemainingTimeInMillis() }, env: process.env, count, busy, pid: process.pid };
    return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  } finally {
    busy -= 1;
  }
};`;

/** Allows every user. All users have the same API key. */
const SCRIPTED_AUTHORIZER = `
exports.handler = async (event) => ({
  principalId: 'allowed',
  policyDocument: { Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: event.methodArn.split('/').slice(0, 2).join('/') + '/*/*' }] },
  usageIdentifierKey: process.env.STACK_UUID + 'standard001',
  context: { client: 'wms' },
});`;

const OPERATIONS = ['PostChange', 'GetMaterialCodes', 'GetPurchaseOrders', 'PostMaterialStockBalance'];

/** Replaces the service's functions with the scripted functions. */
export const scriptFunctions = (assembly: EditableAssembly) => {
  for (const operation of OPERATIONS) assembly.replaceCode(operation, SCRIPTED);
  assembly.replaceCode('Authorizer', SCRIPTED_AUTHORIZER);
};
