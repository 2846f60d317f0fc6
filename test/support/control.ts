import { expect } from 'vitest';
import type { Disturbance } from '../../local/services/aws-proxy.ts';
import { send } from './http-client.ts';
import type { LocalRun } from './local-run.ts';

type Service = 'dynamodb' | 'secretsmanager';

const ask = async (run: LocalRun, what: string) => (await send(run.outputs().ControlEndpoint + what)).json();

/** From here on; what was disturbed before is so no longer. */
export const disturb = async (run: LocalRun, disturbances: Partial<Record<Service, Disturbance[]>>) => {
  const answer = await send(`${run.outputs().ControlEndpoint}/disturbances`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(disturbances),
  });
  expect(answer.status).toBe(200);
};

/** How many calls the disturbances have met, one after the other. */
export const struck = async (run: LocalRun): Promise<number[]> => {
  const { dynamodb, secretsmanager } = await ask(run, '/disturbances');
  return [...dynamodb, ...secretsmanager].map((each: { struck: number }) => each.struck);
};

type Permissions = Record<'granted' | 'unused', { role: string; action: string; resource: string }[]>;

/** What the roles of the functions may do, and what of it has not been needed yet. */
export const permissions = (run: LocalRun): Promise<Permissions> => ask(run, '/permissions');

/** Of the client's secret, which is told nowhere else. */
export const secretArn = async (run: LocalRun) => {
  const { granted } = await permissions(run);
  const reading = granted.find(({ action }) => action === 'secretsmanager:GetSecretValue');
  if (!reading) throw new Error('No secret may be read.');
  return reading.resource;
};
