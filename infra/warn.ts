import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The synthesis prints the warning until infra/app.ts acknowledges it. */
export const warn = (scope: Construct, name: string, text: string) => {
  const id = `warehouse-control:${name}`;
  const acknowledgement = `Validations.of(app).acknowledge({ id: 'Annotation::${id}', reason: '…' })`;
  Annotations.of(scope).addWarningV2(
    id,
    `${text} To stop this warning, add this to infra/app.ts: ${acknowledgement}.`,
  );
};
