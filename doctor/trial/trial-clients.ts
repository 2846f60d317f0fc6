import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newClient } from '../../shared/clients/new-client.ts';
import { readClient, writeClient } from '../../shared/clients/write-client.ts';
import { keysOf } from '../../shared/object-keys.ts';

/** Never limits the doctor, whose facts follow each other without a pause. One fact sends five batches at once. */
const DOCTOR = { rate: 1_000, burst: 2_000, batches: { rate: 1_000, burst: 2_000 }, slots: 3 };
export const PER_DAY = 5;
const LIMITED = { perDay: PER_DAY, slots: 2 };
export const HASTY = { rate: 0.1, burst: 1, slots: 1 };

/** Null removes a default plan. */
export const plans = { standard: null, slow: null, doctor: DOCTOR, limited: LIMITED, hasty: HASTY };

/** Another limit of the batches of most clients. */
export const changedPlans = { ...plans, doctor: { ...DOCTOR, batches: { rate: 999, burst: 1_999 } } };

/** Without the slot of the client `neighbour`, and without the plan of the client `hasty`. */
export const smallerPlans = { ...changedPlans, limited: { ...LIMITED, slots: 1 }, hasty: null };

/** A deployment cannot have more slots. */
export const MAX_SLOTS = 170;
export const largestPlans = {
  ...plans,
  doctor: { ...DOCTOR, slots: MAX_SLOTS - LIMITED.slots - HASTY.slots },
};

export const trialClients = {
  doctor: { plan: 'doctor', slot: 1 },
  locked: { plan: 'doctor', slot: 2 },
  keyless: { plan: 'doctor', slot: 3 },
  limited: { plan: 'limited', slot: 1 },
  neighbour: { plan: 'limited', slot: 2 },
  hasty: { plan: 'hasty', slot: 1 },
};
export type TrialClient = keyof typeof trialClients;

/** The metric RefusedBatches leaves out unwatched clients. So these clients keep the default hours of silence. */
export const addTrialClients = async (table: string, passwords: Record<TrialClient, string>) => {
  const dynamodb = new DynamoDBClient();
  for (const name of keysOf(trialClients)) {
    const client = newClient({ name, password: passwords[name], ...trialClients[name], now: new Date() });
    await writeClient(dynamodb, table, { ...client, ChangedBy: 'npm run doctor' });
  }
};

export const lockClient = async (table: string, name: TrialClient) => {
  const dynamodb = new DynamoDBClient();
  const stored = await readClient(dynamodb, table, name);
  const lock = { LockedAt: new Date().toISOString() };
  if (stored) await writeClient(dynamodb, table, { ...stored.client, ...lock }, stored);
};
