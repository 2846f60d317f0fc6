import { createHash } from 'node:crypto';
import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Short, because the secret's name repeats it and 30 names have to fit the authorizer's environment of 4 KB. */
export const logicalIdOf = (client: string) =>
  `Client${createHash('sha256').update(client).digest('hex').slice(0, 10)}`;

/** Keeps a resource the same for CloudFormation, wherever the code makes it. */
export const pinLogicalId = ({ node }: IConstruct, logicalId: string) => {
  if (CfnResource.isCfnResource(node.defaultChild)) node.defaultChild.overrideLogicalId(logicalId);
};
