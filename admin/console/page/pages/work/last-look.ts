import { useEffect, useState } from 'preact/hooks';
import { MINUTE_MS } from '../../../../../shared/time.ts';
import type { Work } from '../../../api.ts';
import { formatDay } from '../../format.ts';
import { keep, readKept } from '../../kept.ts';

type Cards = Work['cards'];
/** The newest time of each concern that a person saw. */
type Seen = { readonly [concern: string]: number };
/** `before` is what the person had seen when this look began, or at its beginning if it is the first look. */
type Look = { at: number; seen: Seen; before: Seen };

/** After such a pause, or on another day, a person looks anew. */
const PAUSE_MS = 30 * MINUTE_MS;

const keyOf = (scope: string, kind: string) => `${scope}|${kind}`;

const seenIn = (cards: Cards): Seen => {
  const times = cards.flatMap(({ scope, concerns }) =>
    concerns.map(({ kind, newestSince }) => [keyOf(scope, kind), newestSince ?? 0] as const),
  );
  // Of two states of a kind, the newest time comes last.
  return Object.fromEntries(times.toSorted(([, one], [, other]) => one - other));
};

/** Returns what had been seen before this look, and keeps what is seen now on this machine. */
const look = (name: string, cards: Cards, at = Date.now()) => {
  const last = readKept<Look>(name);
  const goesOn = last && at - last.at < PAUSE_MS && formatDay(at) === formatDay(last.at);
  const seen = seenIn(cards);
  const before = (goesOn ? last.before : last?.seen) ?? seen;
  keep(name, { at, seen, before } satisfies Look);
  return before;
};

/** Whether a concern is new since the person last looked at this deployment. Without cards, nothing is kept. */
export const useNews = (deploymentName: string, cards: Cards | undefined) => {
  const [before, setBefore] = useState<Seen | null>(null);
  useEffect(() => {
    if (cards) setBefore(look(`looked at ${deploymentName}`, cards));
  }, [deploymentName, cards]);
  return (scope: string, { kind, newestSince }: Cards[number]['concerns'][number]) =>
    before !== null && (before[keyOf(scope, kind)] ?? -1) < (newestSince ?? 0);
};
