import type { Stack } from 'aws-cdk-lib';
import { CfnGatewayResponse, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { addValidations, buildApp } from '../../infra/app.ts';
import { TRIAL_HEADERS_CONTEXT } from './trial.ts';

/** For the facts about 429s. A response with X-Trial proves that the gateway uses these headers already. X-Client shows the client that the authorizer named. */
const headers = { 'X-Trial': "'deployed'", 'X-Client': 'context.authorizer.client' };

export const addTrialHeaders = (stack: Stack) => {
  for (const construct of stack.node.findAll()) {
    if (construct instanceof CfnGatewayResponse && construct.responseType === 'THROTTLED') {
      for (const [name, value] of Object.entries(headers))
        construct.addPropertyOverride(`ResponseParameters.gatewayresponse\\.header\\.${name}`, value);
    }
    // The gateway changes its responses only with a new Deployment resource, so the headers are in its logical id.
    if (construct instanceof RestApi) construct.latestDeployment?.addToLogicalId(headers);
  }
};

if (import.meta.main) {
  const { app, stack } = buildApp({}, process.env);
  if (app.node.tryGetContext(TRIAL_HEADERS_CONTEXT)) addTrialHeaders(stack);
  await addValidations(app, process.env);
}
