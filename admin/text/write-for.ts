import { AsyncLocalStorage } from 'node:async_hooks';
import { findReaderBy, type Reader, readerHere } from './reader.ts';

const readers = new AsyncLocalStorage<Reader>();
findReaderBy(() => readers.getStore() ?? readerHere());

/** Runs the work. All its texts are for the reader, also what it writes later. */
export const writeFor = <T>(reader: Reader, work: () => T): T => readers.run(reader, work);
