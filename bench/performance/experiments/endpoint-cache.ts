/** The SDK makes one for each client, and asks it for nothing where endpoints are not discovered. */
export class EndpointCache {}
