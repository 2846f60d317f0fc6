import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCUMENT_FILE } from '../../docs/openapi/generate.ts';
import { execute } from '../clients/execute.ts';
import { startService } from '../clients/service.ts';
import { documentedOperations } from '../docs/openapi/document.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { npmTool } from './tools.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService({ MaterialCodes: [], PurchaseOrders: [] }, 'Пароль:1');
});
afterAll(() => service.stop());

type Execution = { item: { name: string }; response?: { code: number } };

test("Postman's collection of the document runs without a failure", { timeout: 300_000 }, async () => {
  const folder = temporaryFolder();
  const conversion = await execute(
    [
      ...npmTool('openapi2postmanv2'),
      ...['--spec', fileURLToPath(DOCUMENT_FILE), '--output', 'collection.json'],
      ...['--options', 'parametersResolution=Example'],
    ],
    folder,
    {},
  );
  expect(conversion).toMatchObject({ exitCode: 0 });

  const { baseUrl, username, password } = service.account;
  const variables = { baseUrl, basicAuthUsername: username, basicAuthPassword: password };
  const values = Object.entries(variables).map(([key, value]) => ({ key, value, enabled: true }));
  writeFileSync(join(folder, 'environment.json'), JSON.stringify({ name: 'local', values }));
  const files = ['collection.json', '--environment', 'environment.json'];
  const report = ['--reporters', 'json', '--reporter-json-export', 'report.json'];
  const { exitCode, stdout, stderr } = await execute(
    [...npmTool('newman'), 'run', ...files, ...report],
    folder,
    {},
  );
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });

  const { run } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(run.failures).toEqual([]);
  const statuses = run.executions.map(({ item, response }: Execution) => [item.name, response?.code]);
  expect(new Map(statuses)).toEqual(new Map(documentedOperations.map(({ summary }) => [summary, 200])));
});
