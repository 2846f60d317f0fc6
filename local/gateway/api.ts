import type * as v from 'valibot';
import { mapValues } from '../../shared/object-keys.ts';
import { readInvokePermissions } from '../lambda/invoke-permissions.ts';
import { StartupError } from '../startup-error.ts';
import { ACCOUNT, REGION, type TemplateStack } from '../synthesis/stack.ts';
import { errorTypes } from './errors.ts';
import * as schemas from './template-schemas.ts';

export type Api = ReturnType<typeof readApi>;
export type Method = Api['methods'][number];
export type UsagePlan = v.InferOutput<typeof schemas.usagePlan> & { keyId: string };

export const readApi = (stack: TemplateStack) => {
  const restApi = readOnly(stack, 'AWS::ApiGateway::RestApi', schemas.restApi);
  const stage = readOnly(stack, 'AWS::ApiGateway::Stage', schemas.stage);
  const authorizer = readOnly(stack, 'AWS::ApiGateway::Authorizer', schemas.authorizer);
  const [settings] = stage.MethodSettings;
  const isAllowed = readInvokePermissions(stack);
  const arn = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${restApi.ref}`;
  return {
    arn,
    stage: stage.StageName,
    methods: readMethods(stack),
    authorizer,
    responses: readResponses(stack),
    throttle: { RateLimit: settings.ThrottlingRateLimit, BurstLimit: settings.ThrottlingBurstLimit },
    usagePlans: readUsagePlans(stack),
    /** `source` is a method, such as live/GET/path, or an authorizer, such as authorizers/ID. */
    mayInvoke: (functionArn: string, source: string) =>
      isAllowed('apigateway.amazonaws.com', `${arn}/${source}`, functionArn),
  };
};

const readOnly = <T extends object>(
  stack: TemplateStack,
  type: string,
  schema: v.GenericSchema<unknown, T>,
) => {
  const [only, ...others] = stack.read(type, schema);
  if (only && others.length === 0) return only;
  throw new StartupError(`The template does not have exactly one ${type}.`);
};

const readMethods = (stack: TemplateStack) => {
  const resources = new Map(
    stack.read('AWS::ApiGateway::Resource', schemas.resource).map((resource) => [resource.ref, resource]),
  );
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  return stack.read('AWS::ApiGateway::Method', schemas.method).map((method) => ({
    ...method,
    resourcePath: pathOf(method.ResourceId) || '/',
  }));
};

/** The response to each type of error. A type without its own response uses the default for 4xx or 5xx. */
const readResponses = (stack: TemplateStack) => {
  const responses = new Map(
    stack
      .read('AWS::ApiGateway::GatewayResponse', schemas.gatewayResponse)
      .map((response) => [response.ResponseType, response]),
  );
  return mapValues(errorTypes, (type) => {
    const fallback = errorTypes[type].status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    const response = responses.get(type) ?? responses.get(fallback);
    if (!response) throw new StartupError(`The template has no gateway response ${fallback}.`);
    return response;
  });
};

/** The usage plans by the value of the API key, which the authorizer returns. */
const readUsagePlans = (stack: TemplateStack) => {
  const plans = stack.read('AWS::ApiGateway::UsagePlan', schemas.usagePlan);
  const keys = stack.read('AWS::ApiGateway::ApiKey', schemas.apiKey);
  const planKeys = stack.read('AWS::ApiGateway::UsagePlanKey', schemas.usagePlanKey);
  return new Map(
    planKeys.flatMap(({ KeyId, UsagePlanId }): [string, UsagePlan][] => {
      const key = keys.find(({ ref }) => ref === KeyId);
      const plan = plans.find(({ ref }) => ref === UsagePlanId);
      return key && plan ? [[key.Value, { ...plan, keyId: KeyId }]] : [];
    }),
  );
};
