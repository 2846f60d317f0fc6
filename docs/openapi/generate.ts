import { readFileSync } from 'node:fs';
import { apiDocument } from './document.ts';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export const DOCUMENT_FILE = new URL('../openapi.json', import.meta.url);

/** The content of docs/openapi.json. */
export const generateDocument = () => apiDocument({ version });
