import { headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { paths, tags } from './paths.ts';
import { parameters } from './requests.ts';
import { responses } from './responses.ts';
import { schemas } from './schemas.ts';

const servers = [
  {
    url: 'https://{api}.execute-api.{region}.amazonaws.com/live',
    description: 'A deployment, by its output BaseUrl',
    variables: {
      api: { default: 'abcde12345', description: 'The id of the API' },
      region: { default: 'eu-central-1', description: 'The region that it is deployed to' },
    },
  },
  {
    url: 'https://{domain}',
    description: 'A deployment with a domain of its own',
    variables: { domain: { default: 'warehouse.example.com', description: 'The domain of its settings' } },
  },
  { url: 'http://127.0.0.1:3000/live', description: 'The local run (npm start)' },
];

const credentials = {
  type: 'http',
  scheme: 'basic',
  description: "One client's user name and password, in UTF-8; the same for all operations.",
};

/** The OpenAPI document of the service. */
export const apiDocument = ({ version }: { version: string }) => ({
  openapi: '3.1.0',
  info: {
    title: 'Warehouse Control Interface',
    version,
    description: introduction,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers,
  security: [{ credentials: [] }],
  tags,
  paths,
  components: { schemas, responses, parameters, headers, securitySchemes: { credentials } },
});
