import { workerData } from 'node:worker_threads';
import { openSession, type Session } from '../../deployment/session.ts';
import type { ClientRequest } from '../client-requests.ts';
import { createFileReader } from '../processes/file-reader.ts';
import { createClientEdits } from './client-edits.ts';
import { createListEdits, type ListRequest } from './list-edits.ts';
import { respondToRequests } from './thread-requests.ts';

export type EditRequest = { ofLists: ListRequest } | { ofClients: ClientRequest };

let session: Session | undefined;

const open = async () => {
  session ??= await openSession(workerData.where);
  return session;
};

const planOrWrite = createListEdits(open, createFileReader());
const readOrChangeClients = createClientEdits(open);

respondToRequests((request: EditRequest, signal) =>
  'ofClients' in request ? readOrChangeClients(request.ofClients) : planOrWrite(request.ofLists, signal),
);
