import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../shared/time.ts';
import { nameOf, writeSentences } from '../stock/checks/kinds.ts';
import { showFindingsOf, showKeptFindings } from '../stock/checks/show-findings.ts';
import { displayNamesIn } from '../stock/queries/choices.ts';
import { nameOfScope } from '../stock/scope.ts';
import { type Concern, readWork } from '../stock/tables/work.ts';

type Options = { at: Date | undefined; now: Date; client: string | undefined; knownSince: number | null };

/** The findings of one kind of a warehouse or a list, now and a week before. */
export type Line = Pick<Concern, 'severity'> & {
  since: number | null;
  name: string;
  what: string;
  states: string;
  now: number;
  /** Null if the stock does not go back so far. */
  before: number | null;
  example: string;
  advice: string;
};

/** Compares the findings with those of a week before. Then the connection shows the findings of the moment, or the latest. */
export const compareWork = (db: DatabaseSync, { at, now, client, knownSince }: Options): Line[] => {
  const weekBefore = new Date((at ?? now).getTime() - 7 * DAY_MS);
  const isKnown = knownSince !== null && knownSince <= weekBefore.getTime();
  const show = (moment: Date | undefined) => {
    if (moment || client !== undefined) showFindingsOf(db, { at: moment?.toISOString(), client });
    else showKeptFindings(db);
    const { cards } = readWork(db, { at: moment?.toISOString() });
    const concerns = cards.flatMap(({ concerns, ...card }) =>
      concerns.map((concern) => ({ card, ...concern })),
    );
    return Map.groupBy(concerns, ({ card, kind }) => `${card.scope} ${kind}`);
  };
  const displayNames = new Map(displayNamesIn(db));
  const then = isKnown ? show(weekBefore) : undefined;
  const current = show(at);
  return [...new Set([...current.keys(), ...(then?.keys() ?? [])])].flatMap((key) => {
    const [ofNow, ofThen] = [current.get(key) ?? [], then?.get(key) ?? []];
    const [first] = [...ofNow, ...ofThen];
    if (!first) return [];
    const { card, kind, severity } = first;
    return {
      ...{
        severity,
        name: nameOfScope(card.scope, (client) => displayNames.get(client) ?? client),
        what: nameOf(kind),
      },
      ...{ now: sumOf(ofNow), before: then ? sumOf(ofThen) : null, since: ofNow[0]?.newestSince ?? null },
      states: [...new Set(ofNow.map(({ state }) => state))].join(', '),
      ...exampleOf(first, card.scope),
    };
  });
};

const sumOf = (concerns: readonly Concern[]) => concerns.reduce((sum, { count }) => sum + count, 0);

const exampleOf = ({ kind, findings: [finding] }: Concern, scope: string) => {
  if (!finding) return { example: '', advice: '' };
  const { detail, advice } = writeSentences(JSON.stringify({ kind, data: finding.data }));
  const { subject } = finding;
  const isSaid = !isName(subject, scope) || detail.endsWith(`${subject}.`);
  return { example: isSaid ? detail : `${subject}: ${detail}`, advice };
};

/** A finding may be about a whole warehouse or batch, which the sentence names. */
const isName = (subject: string, scope: string) => subject !== scope && !/^\d{4}-\d\d-\d\dT/.test(subject);
