import { workerData } from 'node:worker_threads';
import { openSession, type Session } from '../../deployment/session.ts';
import type { ClientRequest } from '../client-requests.ts';
import { createFileReader } from '../processes/file-reader.ts';
import { createClientChanges } from './client-changes.ts';
import { createListChanges, type ListRequest } from './list-changes.ts';
import { respondToRequests } from './thread-requests.ts';

export type ChangeRequest = { ofLists: ListRequest } | { ofClients: ClientRequest };

let session: Session | undefined;

const open = async () => {
  session ??= await openSession(workerData.where);
  return session;
};

const planOrWrite = createListChanges(open, createFileReader());
const readOrChangeClients = createClientChanges(open);

respondToRequests((request: ChangeRequest, signal) =>
  'ofClients' in request ? readOrChangeClients(request.ofClients) : planOrWrite(request.ofLists, signal),
);
