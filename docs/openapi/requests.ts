import { schemaRef } from './schemas.ts';

const DESCRIPTION =
  'JSON in UTF-8, with or without a byte-order mark. The content type may name a charset. The body may be compressed with gzip or deflate, if the Content-Encoding header says so.';

export const requestBody = (schema: string, examples: object) => ({
  description: DESCRIPTION,
  required: true,
  content: { 'application/json': { schema: schemaRef(schema), examples } },
});
