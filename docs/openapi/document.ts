import { readFileSync, writeFileSync } from 'node:fs';
import { headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { paths, tags } from './paths.ts';
import { responses } from './responses.ts';
import { schemas, standaloneSchema } from './schemas.ts';

const servers = [
  {
    url: 'https://{api}.execute-api.{region}.amazonaws.com/live',
    description: 'A deployment (its output BaseUrl)',
    variables: {
      api: { default: 'abcde12345', description: 'The id of the API' },
      region: { default: 'eu-central-1', description: 'The region of the deployment' },
    },
  },
  {
    url: 'https://{domain}',
    description: 'A deployment with its own domain',
    variables: { domain: { default: 'warehouse.example.com', description: 'The domain in its settings' } },
  },
  { url: 'http://127.0.0.1:3000/live', description: 'The local run (npm start)' },
];

const credentials = {
  type: 'http',
  scheme: 'basic',
  description: 'The user name and password of one client, in UTF-8. They are the same for all operations.',
};

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The OpenAPI document of the service. */
export const apiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Warehouse Control Interface',
    version,
    description: introduction,
    contact: { name: 'The admin of your deployment' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers,
  security: [{ credentials: [] }],
  tags,
  paths,
  components: { schemas, responses, headers, securitySchemes: { credentials } },
};

export const DOCUMENT_FILE = new URL('../openapi.json', import.meta.url);

/** For tools that check a batch in a file. */
export const batchSchema = standaloneSchema('StockBalanceBatch', 'A batch of stock balances');

export const BATCH_SCHEMA_FILE = new URL('../batch.schema.json', import.meta.url);

// `npm run openapi` formats both files afterwards.
if (import.meta.main) {
  writeFileSync(DOCUMENT_FILE, JSON.stringify(apiDocument, null, 2));
  writeFileSync(BATCH_SCHEMA_FILE, JSON.stringify(batchSchema, null, 2));
}
