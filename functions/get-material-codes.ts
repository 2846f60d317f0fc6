import { listHandler } from './list-handler.ts';

export const handler = listHandler('MaterialCodes');
