import { readFileSync } from 'node:fs';
import { apiDocument } from './document.ts';
import { toText } from './text.ts';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export const DOCUMENT = new URL('../openapi.json', import.meta.url);

/** What has to be in docs/openapi.json. */
export const generated = () => toText(apiDocument({ version }));
