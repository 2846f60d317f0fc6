import type { DatabaseSync } from 'node:sqlite';
import { openForReading } from '../../stock/database/open-stock.ts';
import { createReaders, type Readers } from '../queries/read-stock.ts';
import { readProcessData, respondToRequests } from './requests.ts';

const { file } = readProcessData();
let db: DatabaseSync | undefined;
// The file is there before the first request.
const handlers: Readers = createReaders(() => (db ??= openForReading(file)));

respondToRequests(handlers);
