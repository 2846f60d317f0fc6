import { schemaRef } from './schemas.ts';

const DESCRIPTION =
  'JSON in UTF-8, with or without a byte-order mark. The content type may name a charset. The body may be compressed (Content-Encoding: gzip, or deflate in the zlib format).';

export const requestBody = (schema: string, examples: object) => ({
  description: DESCRIPTION,
  required: true,
  content: { 'application/json': { schema: schemaRef(schema), examples } },
});

export const parameters = {
  ContentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    description: 'The encoding of a compressed body. The limits apply to the uncompressed body.',
    schema: { type: 'string', enum: ['gzip', 'deflate', 'identity'] },
  },
};

export const postParameters = [{ $ref: '#/components/parameters/ContentEncoding' }];
