import { openForReading } from '../../stock/database/open-stock.ts';
import { createReaders } from '../queries/read-stock.ts';
import { dataOfProcess, respondToRequests } from './requests.ts';

export type ReaderHandlers = ReturnType<typeof createReaders>;

/** Reads one table after the other. */
respondToRequests(() => createReaders(openForReading(dataOfProcess<{ file: string }>().file)));
