import { formatNumber } from '../../text/words.ts';
import { damagedSnapshot } from './kinds/damaged-snapshot.ts';
import { halvedSnapshot } from './kinds/halved-snapshot.ts';
import { late } from './kinds/late.ts';
import { caseDiffers, lookAlike } from './kinds/look-alike.ts';
import { noBalance } from './kinds/no-balance.ts';
import { noSnapshot } from './kinds/no-snapshot.ts';
import { powerOfTen } from './kinds/power-of-ten.ts';
import { refusedRequest } from './kinds/refused-request.ts';
import { signFlipped } from './kinds/sign-flipped.ts';
import { unitDiffers } from './kinds/unit-differs.ts';
import { unlistedCode } from './kinds/unlisted-code.ts';
import { unlistedOrder } from './kinds/unlisted-order.ts';
import { unusedOrder } from './kinds/unused-order.ts';
import { zeroSnapshot } from './kinds/zero-snapshot.ts';
import type { FindingData, Kind, Sentences } from './parts/define-kind.ts';

/** The worst come first. Within a severity, what may explain other findings comes first. */
export const kinds: readonly Kind[] = [
  ...[damagedSnapshot, noSnapshot, late, halvedSnapshot, zeroSnapshot, powerOfTen, unitDiffers],
  ...[refusedRequest, signFlipped, lookAlike, caseDiffers, unlistedCode, unlistedOrder],
  ...[noBalance, unusedOrder],
];

export const kindNames = kinds.map(({ kind }) => kind);

export const kindOf = (kind: string) => kinds.find((known) => known.kind === kind);

/** `half of the batch is missing` for `halved-snapshot`. */
export const nameOf = (kind: string) => kindOf(kind)?.name ?? kind;

export const severityOf = (kind: string) => kindOf(kind)?.severity ?? 'note';

type StoredFinding = { kind: string; data: FindingData & { others?: number } };

/** Writes the cell of a finding for the reader. `others` counts the findings for which it stands. */
export const writeSentences = (finding: string): Sentences => {
  const { kind, data }: StoredFinding = JSON.parse(finding);
  const found = kindOf(kind);
  if (!found) return { detail: '', advice: '' };
  const { others } = data;
  if (others === undefined) return found.write(data);
  return {
    detail: `${formatNumber(others)} more: ${found.title}.`,
    advice: 'There are too many to show each. First correct the shown findings of this kind.',
  };
};
