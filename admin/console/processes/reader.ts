import { openForReading } from '../../stock/database/open-stock.ts';
import { respond, type StockRequest } from '../queries/stock-requests.ts';
import { dataOfProcess, respondToRequests } from './requests.ts';

let db: ReturnType<typeof openForReading> | undefined;

/** Reads one table after the other. */
const handlers = {
  read: (request: StockRequest) => {
    db ??= openForReading(dataOfProcess<{ file: string }>().file);
    return respond(db, request);
  },
};
export type ReaderHandlers = typeof handlers;

respondToRequests(handlers);
