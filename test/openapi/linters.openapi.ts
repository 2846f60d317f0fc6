import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DOCUMENT_FILE } from '../../docs/openapi/generate.ts';
import { execute } from '../clients/execute.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { npmTool } from './tools.ts';

const document = fileURLToPath(DOCUMENT_FILE);

test("Redocly's recommended rules find nothing", async () => {
  const { exitCode, stdout } = await execute(
    [...npmTool('redocly'), 'lint', document, '--extends', 'recommended', '--format', 'json'],
    temporaryFolder(),
    { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  );
  const { totals, problems } = JSON.parse(stdout);
  expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});

type Finding = { code: string; path: (string | number)[]; message: string };

/** Spectral checks patterns without the Unicode flag, so that \p{L} matches no letter. */
const isFalseAlarm = ({ code, path, message }: Finding) =>
  code === 'oas3-valid-media-example' &&
  path.at(-1) === 'MaterialCode' &&
  message.includes(String.raw`must match pattern "^[\p{L}`);

test("Spectral's rules for OpenAPI find only false alarms about Unicode patterns", async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/.spectral.json`, JSON.stringify({ extends: ['spectral:oas'] }));
  const { stdout } = await execute(
    [...npmTool('spectral'), 'lint', document, '--ruleset', '.spectral.json', '--format', 'json', '--quiet'],
    folder,
    {},
  );
  const findings: Finding[] = JSON.parse(stdout);
  expect(findings.filter((finding) => !isFalseAlarm(finding))).toEqual([]);
  expect(findings.filter(isFalseAlarm).length).toBeGreaterThan(0);
});
