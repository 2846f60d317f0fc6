import { workerData } from 'node:worker_threads';
import { openSession, type Session } from '../../deployment/session.ts';
import { createFileReader } from '../processes/file-reader.ts';
import { createListChanges } from './list-changes.ts';
import { respondToRequests } from './thread-requests.ts';

let session: Session | undefined;

const open = async () => {
  session ??= await openSession(workerData.where);
  return session;
};

respondToRequests(createListChanges(open, createFileReader()));
