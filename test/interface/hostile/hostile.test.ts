import { testHostileRequests } from './hostile-requests.ts';

// hostile.slow.ts sends thousands.
testHostileRequests(300);
