import type { Stack } from 'aws-cdk-lib';
import { CfnGatewayResponse, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { addValidations, buildApp } from '../../infra/app.ts';
import { TRIAL_HEADERS } from './trial.ts';

/** For the facts about 429s. X-Trial shows that the gateway responds as the deployment with these headers says. X-Client shows the client that the authorizer named. */
const headers = { 'X-Trial': "'deployed'", 'X-Client': 'context.authorizer.client' };

export const addTrialHeaders = (stack: Stack) => {
  for (const construct of stack.node.findAll()) {
    if (construct instanceof CfnGatewayResponse && construct.responseType === 'THROTTLED') {
      for (const [name, value] of Object.entries(headers))
        construct.addPropertyOverride(`ResponseParameters.gatewayresponse\\.header\\.${name}`, value);
    }
    // Without a new deployment resource, the gateway keeps its old responses.
    if (construct instanceof RestApi) construct.latestDeployment?.addToLogicalId(headers);
  }
};

if (import.meta.main) {
  const { app, stack } = buildApp({}, process.env);
  if (app.node.tryGetContext(TRIAL_HEADERS)) addTrialHeaders(stack);
  await addValidations(app, process.env);
}
