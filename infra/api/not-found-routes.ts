import {
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { NOT_FOUND, problemContentType, problemTemplate } from './gateway-responses.ts';

/**
 * These routes require this header, which no client sends. So the request validator refuses every request, whatever its content
 * type, and `gateway-responses.ts` makes this a 404. Only a request with the header reaches the mock.
 */
const NEVER_SENT = 'method.request.header.X-Served-Nowhere';

// These routes are behind the authorizer, so that every path gets a 401 without credentials.
// `{proxy+}` also matches the other methods of existing paths (measured in ministackorg/ministack#1423), but not the root.
export const addNotFoundRoutes = (api: RestApi) => {
  const requestValidator = api.addRequestValidator('ServedNowhere', { validateRequestParameters: true });
  const notFound = new MockIntegration({
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
  const addRoute = (resource: IResource) =>
    resource.addMethod('ANY', notFound, {
      requestValidator,
      requestParameters: { [NEVER_SENT]: true },
      methodResponses: [
        { statusCode: '404', responseParameters: { 'method.response.header.Content-Type': true } },
      ],
    });
  addRoute(api.root);
  addRoute(api.root.addResource('{proxy+}'));
};
