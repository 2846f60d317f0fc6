import { catalogEditor } from '../../shared/store/catalog-editor.ts';
import { changeReader } from '../../shared/store/change-reader.ts';
import { kinds } from '../check/finding.ts';
import { readFindings } from '../check/read-findings.ts';
import { clientsOf, type Session, snapshotsOf } from '../session.ts';
import { showProgress } from '../terminal.ts';
import { attributesOf } from './attributes.ts';
import { DAY_MS, type ReportData } from './data.ts';
import { createHistory } from './history.ts';
import { createTally } from './tally.ts';

const DEFAULT_DAYS = 30;

type Asked = { client?: string | undefined; since?: Date | undefined };

/** Reads all that the page shows, each snapshot once and none for longer than it takes. */
export const collectReport = async (session: Session, asked: Asked): Promise<ReportData> => {
  const { now, deployment } = session;
  const { dynamodb, tables } = deployment;
  const since = asked.since ?? new Date(now.getTime() - DEFAULT_DAYS * DAY_MS);
  const clients = clientsOf(session, asked.client);
  const { codes, ...history } = await readHistory(session, clients, since);
  const changes = await readChanges(session, clients, since);
  const list = await catalogEditor(dynamodb, 'MaterialCodes', tables.MaterialCodes).rows();
  return {
    what: deployment.what,
    madeAt: now.getTime(),
    since: since.getTime(),
    clients,
    ...history,
    ...changes,
    materials: { code: codes, attributes: attributesOf(codes, list) },
    findings: (await readFindings(session, clients)).map(({ kind, ...finding }) => ({
      kind: kinds[kind],
      ...finding,
    })),
  };
};

const readHistory = async (session: Session, clients: readonly string[], since: Date) => {
  const reader = snapshotsOf(session);
  const history = createHistory();
  const damaged: string[] = [];
  const progress = showProgress('Reading snapshots');
  let read = 0;
  for (const [client, name] of clients.entries()) {
    const snapshots = reader.each(name, session.now, { since }, ({ message }) => damaged.push(message));
    for await (const { receivedAt, entries } of snapshots) {
      history.take({ client, at: receivedAt.getTime(), entries });
      read += 1;
      progress.reach(read);
    }
  }
  progress.end();
  return { ...history.columns(), damaged };
};

const readChanges = async ({ deployment, now }: Session, clients: readonly string[], since: Date) => {
  const reader = changeReader(deployment.dynamodb, deployment.tables.ChangeTimestamps);
  const tally = createTally(clients.length);
  for (const [client, name] of clients.entries()) {
    for await (const { timestamp, receivedAt } of reader.each(name, { since })) {
      const at = Date.parse(receivedAt || timestamp.replace(',', '.'));
      // A client's clock may be wrong; what counts here is when it was heard.
      if (at >= since.getTime() && at <= now.getTime()) tally.take(client, at);
    }
  }
  return tally.columns();
};
