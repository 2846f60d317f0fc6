/** Takes the place of '@aws-sdk/credential-provider-node'. A Lambda function has its credentials in its environment. */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
