import { createHash } from 'node:crypto';
import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Short, because the secret's name contains it, and 30 names must fit the authorizer's environment of 4 KB. */
export const logicalIdOf = (client: string) =>
  `Client${createHash('sha256').update(client).digest('hex').slice(0, 10)}`;

/** Without a fixed logical id, moved code changes the id, and CloudFormation replaces the resource. */
export const pinLogicalId = ({ node }: IConstruct, logicalId: string) => {
  if (CfnResource.isCfnResource(node.defaultChild)) node.defaultChild.overrideLogicalId(logicalId);
};
