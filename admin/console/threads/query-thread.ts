import { workerData } from 'node:worker_threads';
import { openForReading } from '../../stock/database/open-stock.ts';
import { respond, type StockRequest } from '../queries/stock-requests.ts';
import { respondToRequests } from './thread-requests.ts';

let opened: ReturnType<typeof open> | undefined;

const open = () => {
  const db = openForReading(workerData.file);
  // 16 MB are enough, because the operating system keeps the file in memory for all threads.
  db.exec('PRAGMA cache_size = -16384');
  return db;
};

respondToRequests((request: StockRequest) => {
  opened ??= open();
  return respond(opened, request);
});
