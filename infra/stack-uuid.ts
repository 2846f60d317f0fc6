import { Aws, Fn } from 'aws-cdk-lib';

/** Tells apart the stacks that have had the same name: arn:partition:cloudformation:region:account:stack/NAME/UUID */
export const stackUuid = () => Fn.select(2, Fn.split('/', Aws.STACK_ID));

/** For the keys of slots, which have letters and digits only. */
export const stackUuidOfKeys = () => Fn.join('', Fn.split('-', stackUuid()));
