import { testHostileRequests } from './hostile-requests.ts';

testHostileRequests(5_000);
