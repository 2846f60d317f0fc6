import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { openForReading } from '../../stock/database/open-stock.ts';
import { respond, type StockRequest } from '../queries/stock-requests.ts';
import { respondToRequests } from './thread-requests.ts';

let db: DatabaseSync | undefined;

const open = () => {
  const opened = openForReading(workerData.file);
  // The system keeps the pages of the file for all threads.
  opened.exec('PRAGMA cache_size = -16384');
  return opened;
};

respondToRequests((request: StockRequest) => {
  db ??= open();
  return respond(db, request);
});
