import { fromEnv } from '@aws-sdk/credential-provider-env';

// The SDK imports these from modules that no function uses. Without the stubs, every cold start loads those modules.

/** For '@aws-sdk/credential-provider-node'. A Lambda function has its credentials in its environment. */
export const defaultProvider = fromEnv;

/** For '@smithy/core/event-streams'. No AWS operation that the functions call returns an event stream. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are left out of the bundles.');
  }
}

/** For 'node:fs/promises'. A function has no SDK configuration in files, and the SDK takes an unreadable file as absent. */
export const readFile = () => Promise.reject(new Error('Files are left out of the bundles.'));
