import { testHostileRequests } from './hostile-requests.ts';

// hostile.slow.ts sends thousands of requests.
testHostileRequests(200);
