import { readFileSync } from 'node:fs';
import { WAREHOUSES } from './warehouses.ts';

type Settings = { clients?: unknown; stages?: Record<string, Settings> };

/** Adds clients to the settings of cdk.json, so that each warehouse of the demo has a client. */
export const addDemoClients = (cdkJson: string) => {
  const { stages, ...settings } = readSettings(cdkJson);
  const common = addClients({ clients: ['warehouse'], ...settings });
  if (stages === undefined) return common;
  const ofStages = Object.entries(stages).map(([name, own]) => [name, addClients(own)] as const);
  return { ...common, stages: Object.fromEntries(ofStages) };
};

const addClients = (settings: Settings) => {
  const { clients } = settings;
  if (!Array.isArray(clients)) return settings;
  const names = clients.map((client) => Object(client).name ?? client);
  const free = ['north', 'south', 'east', 'west'].filter((name) => !names.includes(name));
  return { ...settings, clients: [...clients, ...free.slice(0, Math.max(0, WAREHOUSES - clients.length))] };
};

const readSettings = (cdkJson: string): Settings => {
  try {
    return Object(JSON.parse(readFileSync(cdkJson, 'utf8'))).context?.['warehouse-control'] ?? {};
  } catch {
    return {};
  }
};
