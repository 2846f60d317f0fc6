import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Takes the place of the SDK's chain of credential providers in the bundles: a function finds its credentials in
 * its environment and nowhere else, and the rest of the chain would only be loaded at every cold start.
 */
export const defaultProvider = fromEnv;
