import {
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { operations } from '../../shared/operations.ts';
import { NOT_FOUND, problemContentType, problemTemplate } from './gateway-responses.ts';

/** A header that nobody sends. The gateway misses it whatever the content type, before it looks for a template. */
const NEVER_SENT = 'method.request.header.X-Served-Nowhere';

/**
 * Every other path and method, behind the authorizer and behind no function. A greedy path does not cover another
 * method of a resource that exists, so each resource has its own. Whoever does send the header gets the same answer for JSON, and a 415 for the rest.
 */
export const addNotFoundRoutes = (api: RestApi) => {
  const requestValidator = api.addRequestValidator('ServedNowhere', { validateRequestParameters: true });
  const nowhere = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{"statusCode": 404}' },
    integrationResponses: [
      {
        statusCode: '404',
        responseTemplates: { 'application/json': problemTemplate(404, NOT_FOUND) },
        responseParameters: { 'method.response.header.Content-Type': problemContentType },
      },
    ],
  });
  const cover = (resource: IResource) =>
    resource.addMethod('ANY', nowhere, {
      requestValidator,
      requestParameters: { [NEVER_SENT]: true },
      methodResponses: [
        { statusCode: '404', responseParameters: { 'method.response.header.Content-Type': true } },
      ],
    });
  cover(api.root);
  cover(api.root.addResource('{proxy+}'));
  for (const path of existingPaths()) cover(api.root.resourceForPath(path));
};

/** Of each operation's path, every folder on the way and the path itself. */
const existingPaths = () => {
  const paths = new Set<string>();
  for (const { path } of Object.values(operations)) {
    const segments = path.split('/').slice(1);
    for (let depth = 1; depth <= segments.length; depth += 1) {
      paths.add(`/${segments.slice(0, depth).join('/')}`);
    }
  }
  return paths;
};
