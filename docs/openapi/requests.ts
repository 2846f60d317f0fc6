import { schemaRef } from './schemas.ts';

const DESCRIPTION =
  'JSON in UTF-8, with or without a byte-order mark; the content type may name a charset. May be packed (Content-Encoding: gzip).';

export const requestBody = (schema: string, examples: object) => ({
  description: DESCRIPTION,
  required: true,
  content: { 'application/json': { schema: schemaRef(schema), examples } },
});

export const parameters = {
  ContentEncoding: {
    name: 'Content-Encoding',
    in: 'header',
    description: 'Of a body that is packed; the limits count what is unpacked.',
    schema: { type: 'string', enum: ['gzip', 'identity'] },
  },
  Expect: {
    name: 'Expect',
    in: 'header',
    description: 'Answered with 100 Continue, then with the real answer.',
    schema: { type: 'string', enum: ['100-continue'] },
  },
};

export const ofPosts = [
  { $ref: '#/components/parameters/ContentEncoding' },
  { $ref: '#/components/parameters/Expect' },
];
