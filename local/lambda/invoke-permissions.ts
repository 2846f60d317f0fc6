import * as v from 'valibot';
import { matches } from '../policy.ts';
import type { TemplateStack } from '../synthesis/stack.ts';

const permissionSchema = v.object({
  Action: v.literal('lambda:InvokeFunction'),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.string(),
});

/** Returns a function that says whether a service may call a function for a source, such as a rule or a method of an API. */
export const readInvokePermissions = (stack: TemplateStack) => {
  const permissions = stack.read('AWS::Lambda::Permission', permissionSchema);
  return (service: string, source: string, functionArn: string) =>
    permissions.some(
      ({ FunctionName, Principal, SourceArn }) =>
        FunctionName === functionArn && Principal === service && matches(SourceArn, source),
    );
};
