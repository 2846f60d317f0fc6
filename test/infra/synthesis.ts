import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlyMatch } from '../support/assembly.ts';

const jsonOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
export const findingsIn = (path: string) => jsonOf(join(path, 'validation-report.json')).pluginReports;

type Artifact = { type: string; environment?: string; properties?: Record<string, unknown> };
export const stackIn = (path: string) => {
  const { artifacts }: { artifacts: Record<string, Artifact> } = jsonOf(join(path, 'manifest.json'));
  return onlyMatch(Object.values(artifacts), ({ type }) => type === 'aws:cloudformation:stack');
};
