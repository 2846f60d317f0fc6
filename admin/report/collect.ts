import { kinds } from '../check/finding.ts';
import { readFindings } from '../check/read-findings.ts';
import { withProgress } from '../cli/terminal.ts';
import { DAY_MS } from '../cli/time.ts';
import { changesOf, type Session, snapshotsOf, warehousesOf } from '../deployment/session.ts';
import { readList } from '../lists/read-list.ts';
import { attributesOf } from './attributes.ts';
import type { ReportData } from './data.ts';
import { createHistory } from './history.ts';
import { createTally } from './tally.ts';

const DEFAULT_DAYS = 30;

type Asked = { client?: string | undefined; since?: Date | undefined };

/** Reads all that the page shows. The snapshots of the period are read one by one, and the latest ones again for the check. */
export const collectReport = async (session: Session, asked: Asked): Promise<ReportData> => {
  const { now, deployment } = session;
  const since = asked.since ?? new Date(now.getTime() - DEFAULT_DAYS * DAY_MS);
  const clients = await warehousesOf(session, asked.client);
  const { codes: code, ...history } = await readHistory(session, clients, since);
  const changes = await readChanges(session, clients, since);
  const codes = await readList(session, 'MaterialCodes');
  const findings = await readFindings(session, clients, { codes });
  return {
    what: deployment.what,
    madeAt: now.getTime(),
    since: since.getTime(),
    clients,
    ...history,
    ...changes,
    materials: { code, attributes: attributesOf(code, codes) },
    findings: findings.map(({ kind, ...finding }) => ({ kind: kinds[kind], ...finding })),
  };
};

const readHistory = (session: Session, clients: readonly string[], since: Date) =>
  withProgress('Reading snapshots', undefined, async (reach) => {
    const reader = snapshotsOf(session);
    const history = createHistory();
    const damaged: string[] = [];
    let read = 0;
    for (const [client, name] of clients.entries()) {
      const snapshots = reader.iterate(name, session.now, { since }, ({ message }) => damaged.push(message));
      for await (const { receivedAt, entries } of snapshots) {
        history.take({ client, at: receivedAt.getTime(), entries });
        read += 1;
        reach(read);
      }
    }
    return { ...history.columns(), damaged };
  });

/**
 * What counts is when a change was received. The table sorts by the client's own clock, which may be slow by any
 * time, so that all of the changes are read.
 */
const readChanges = (session: Session, clients: readonly string[], since: Date) =>
  withProgress('Reading changes', undefined, async (reach) => {
    const reader = changesOf(session);
    const tally = createTally(clients.length);
    let read = 0;
    for (const [client, name] of clients.entries()) {
      for await (const { timestamp, receivedAt } of reader.iterate(name)) {
        const at = Date.parse(receivedAt || timestamp.replace(',', '.'));
        if (at >= since.getTime() && at <= session.now.getTime()) tally.take(client, at);
        read += 1;
        reach(read);
      }
    }
    return tally.columns();
  });
