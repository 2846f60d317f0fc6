import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isUnusable, openForReading } from '../../stock/database/open-stock.ts';
import { explain, Failure } from '../../text/failure.ts';
import { respond, type StockRequest } from '../queries/questions.ts';

/** The thread goes on after each of them. */
export type Outcome = { json: string } | { refusal: string } | { failure: string; isUnusable: boolean };

let db: DatabaseSync | undefined;

const open = () => {
  const opened = openForReading(workerData.file);
  // The system keeps the pages of the file for all threads.
  opened.exec('PRAGMA cache_size = -16384');
  return opened;
};

const response = (question: StockRequest): Outcome => {
  try {
    db ??= open();
    return { json: respond(db, question) };
  } catch (error) {
    if (error instanceof Failure) return { refusal: error.message };
    return { failure: explain(error), isUnusable: isUnusable(error) };
  }
};

parentPort?.on('message', (question: StockRequest) => parentPort?.postMessage(response(question)));
