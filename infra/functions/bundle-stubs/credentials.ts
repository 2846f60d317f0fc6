import { fromEnv } from '@aws-sdk/credential-provider-env';

/** A function finds its credentials in its environment and nowhere else. */
export const defaultProvider = fromEnv;
