import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../infra/settings/stages.ts';
import { addDemoClients } from '../../local/demo/add-demo-clients.ts';
import { temporaryFolder } from '../support/assembly.ts';

const demoOf = (settings: object | undefined, stage?: string) => {
  const file = join(temporaryFolder(), 'cdk.json');
  writeFileSync(file, JSON.stringify({ context: { 'warehouse-control': settings } }));
  const { clients, ephemeral } = parseSettings(JSON.stringify(addDemoClients(file)), stage);
  return { names: clients.map(({ name }) => name), ephemeral };
};

describe('addDemoClients', () => {
  test.each([
    ['the default of no settings', undefined, ['warehouse', 'north', 'south', 'east']],
    ['one name', { clients: ['harbour'] }, ['harbour', 'north', 'south', 'east']],
    [
      'clients that have a name of the demo',
      { clients: [{ name: 'south', silenceHours: 0 }, 'harbour'] },
      ['south', 'harbour', 'north', 'east'],
    ],
    ['more than four', { clients: ['a', 'b', 'c', 'd', 'e'] }, ['a', 'b', 'c', 'd', 'e']],
  ])('fills up to four: %s', (_, settings, clients) => {
    expect(demoOf(settings).names).toEqual(clients);
  });

  test('adds clients to each stage, and keeps its other settings', () => {
    const stages = { test: { clients: ['harbour'], ephemeral: true }, production: {} };
    const names = (first: string) => [first, 'north', 'south', 'east'];
    const settings = { clients: ['a'], stages };
    expect(demoOf(settings, 'test')).toEqual({ names: names('harbour'), ephemeral: true });
    expect(demoOf(settings, 'production')).toEqual({ names: names('a'), ephemeral: false });
  });
});
