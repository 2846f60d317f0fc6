import { startSecretsManager } from '../../../test/support/fault-proxy.ts';
import { eventOf } from '../../harness/events.ts';
import {
  authorizationOf,
  CLIENTS,
  environmentOf,
  fillSecrets,
  wrongAuthorizations,
} from '../../harness/functions.ts';
import { type FunctionProcess, type Run, startFunction } from '../../harness/runner.ts';
import { median } from '../../harness/statistics.ts';

/** One fresh process of an authorizer, from its start to whom it turns away. */

type Phase = { name: string; wallMs: number; cpuMs: number; calls: number };
export type Life = { loadMs: number; loadCpuMs: number; peakMb: number; phases: Phase[] };

type Authorization = { authorization: string; isRight: boolean };
type Secrets = Awaited<ReturnType<typeof startSecretsManager>>;

const all = Array.from({ length: CLIENTS }, (_, index) => ({
  authorization: authorizationOf(index),
  isRight: true,
}));
const wrongly = (authorization = ''): Authorization[] =>
  Array.from({ length: CLIENTS }, () => ({ authorization, isRight: false }));

/** In this order: where copies are kept, all clients are known after the second. */
const phases: { name: string; sent: Authorization[] }[] = [
  { name: 'first request', sent: all.slice(0, 1) },
  { name: 'a client that comes first', sent: all.slice(1) },
  { name: 'a client that was just there', sent: all },
  { name: 'a wrong password', sent: wrongly(wrongAuthorizations[0]) },
  { name: 'an unknown user', sent: wrongly(wrongAuthorizations[1]) },
];

/** Both kinds of authorizer find their secrets: ours by the names of the deployment, the floor by the user's. */
export const startFilledSecrets = async () => {
  const secrets = await startSecretsManager();
  fillSecrets(secrets);
  for (const { authorization } of all) {
    const [user = '', password] = Buffer.from(authorization.slice('Basic '.length), 'base64')
      .toString()
      .split(':');
    secrets.putSecretValue(`by-user/${user}`, JSON.stringify({ password }), new Date('2026-02-01'));
  }
  return secrets;
};

const effectOf = ({ answer }: Run): string => JSON.parse(answer).policyDocument.Statement[0].Effect;

const pass = async (process: FunctionProcess, secrets: Secrets, { name, sent }: (typeof phases)[number]) => {
  const before = secrets.calls.length;
  const events = sent.map(({ authorization }, serial) =>
    JSON.stringify(eventOf({ operation: 'post-change' }, serial, authorization)),
  );
  const served = await process.serve(events);
  for (const [index, run] of served.runs.entries()) {
    const expected = sent[index]?.isRight ? 'Allow' : 'Deny';
    if (effectOf(run) !== expected) throw new Error(`${name} was answered with ${effectOf(run)}.`);
  }
  const phase = {
    name,
    wallMs: median(served.runs.map(({ wallMs }) => wallMs)),
    cpuMs: median(served.runs.map(({ cpuMs }) => cpuMs)),
    calls: (secrets.calls.length - before) / sent.length,
  };
  return { ...served, phase };
};

export const live = async (secrets: Secrets, folder: string, memoryMb: number): Promise<Life> => {
  const whereabouts = { tables: secrets.endpoint, secrets: secrets.endpoint };
  const process = await startFunction(environmentOf(whereabouts, folder, 'unused'), memoryMb);
  const life: Life = { loadMs: 0, loadCpuMs: 0, peakMb: 0, phases: [] };
  for (const each of phases) {
    const { loadMs, loadCpuMs, peakMb, phase } = await pass(process, secrets, each);
    Object.assign(life, { loadMs, loadCpuMs, peakMb });
    life.phases.push(phase);
  }
  await process.stop();
  return life;
};
