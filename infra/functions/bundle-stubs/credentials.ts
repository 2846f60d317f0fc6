import { fromEnv } from '@aws-sdk/credential-provider-env';

/** A Lambda function has its credentials in its environment. */
export const defaultProvider = fromEnv;
