import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import type { Silence } from './find-silences.ts';

type Run = {
  stack: string;
  runbook: string;
  /** The clients that became late, or sent again, in the hour. A weekly message also has the clients that are still late. */
  silences: readonly Silence[];
  /** The end of the hour that the run looks at. */
  until: number;
  /** A weekly message names all who are late, or says that nobody is. */
  isWeekly: boolean;
};

const MAX_SENTENCES = 50;

const IMPACT = 'Impact: People who read the balances of a late client see old balances and work with them.';

export const composeMessage = ({ stack, runbook, silences, until, isWeekly }: Run) => {
  const ongoingSilences = silences.filter(({ endedAt }) => endedAt === undefined);
  const endedSilences = silences.filter(({ endedAt }) => endedAt !== undefined);
  const lateSentences = ongoingSilences.map((silence) => describeLate(silence, until));
  const sentences = [...lateSentences, ...endedSilences.map(describeEnd)];
  const omittedCount = sentences.length - MAX_SENTENCES;
  return {
    Subject: `${stack}: ${ongoingSilences.length} ${isWeekly ? 'late' : 'newly late'}, ${endedSilences.length} back`,
    Message: [
      ...(isWeekly && ongoingSilences.length === 0 ? ['No client is late.'] : []),
      ...sentences.slice(0, MAX_SENTENCES),
      ...(omittedCount > 0
        ? [`And ${omittedCount} more: \`warehouse-admin clients list --late\` names all who are late.`]
        : []),
      ...(ongoingSilences.length > 0 ? [IMPACT, `What to do: ${runbook}#silence`] : []),
    ].join('\n'),
  };
};

const describeLate = ({ client, lastAt, lateFrom, usualGapMs }: Silence, until: number) => {
  if (lastAt === undefined) return `No batch of ${client} is stored; one was due at ${timeOf(lateFrom)}.`;
  const before = usualGapMs ? `; before, it sent every ${describeGap(usualGapMs)}` : '';
  return `${client} has sent no batch since ${timeOf(lastAt)}, for ${hoursBetween(lastAt, until)} h${before}.`;
};

const describeEnd = ({ client, lastAt, endedAt = 0 }: Silence) => {
  const after = lastAt === undefined ? '' : `, after ${hoursBetween(lastAt, endedAt)} h`;
  return `${client} is back: it sent a batch at ${timeOf(endedAt)}${after}.`;
};

const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const hoursBetween = (from: number, until: number) => Math.floor((until - from) / HOUR_MS);

const describeGap = (gapMs: number) => {
  const minutes = Math.round(gapMs / MINUTE_MS);
  if (minutes <= 1) return 'minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(gapMs / HOUR_MS)} hours`;
};
