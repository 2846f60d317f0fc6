import { Aws, Fn } from 'aws-cdk-lib';

/** Tells apart the stacks that have had the same name: arn:partition:cloudformation:region:account:stack/NAME/UUID */
export const stackUuid = () => Fn.select(2, Fn.split('/', Aws.STACK_ID));

/** Without hyphens, because the key of a slot has letters and digits only. */
export const compactStackUuid = () => Fn.join('', Fn.split('-', stackUuid()));
