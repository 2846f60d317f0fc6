import { joinNames } from '../cli/words.ts';
import { type Comparison, describeSnapshots } from './comparison.ts';
import { describeDifference } from './describe-difference.ts';
import type { Finding } from './finding.ts';
import { ignoreCase } from './lookalikes.ts';

const isOnlyCase = (code: string, original: string) => ignoreCase(code) === ignoreCase(original);

/** A person can see a difference in case. Other differences need the code points. */
const describeLikeness = (code: string, original: string, where: string) =>
  isOnlyCase(code, original)
    ? `differs only in letter case from ${original} ${where}`
    : `looks like ${original} ${where}: ${describeDifference(code, original)}`;

const listedLike = ({ listed, originalOf }: Comparison, code: string) => {
  const original = originalOf(code);
  return original !== undefined && listed.has(original) ? original : undefined;
};

export const unlistedCodes = (comparison: Comparison): Finding[] =>
  unlisted(comparison).flatMap(({ code, senders }) => {
    const likeness = listedLike(comparison, code);
    const meant = comparison.meantBy.get(code);
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const detail =
      likeness === undefined
        ? `Has a balance, but is not in the list.${question} Add ${code} to the list, or correct it in the warehouse system.`
        : `Has a balance, but is not in the list. It ${describeLikeness(code, likeness, 'in the list')}. Correct the wrong code.`;
    return senders.map((client): Finding => ({ kind: 'unlisted-code', client, subject: code, detail }));
  });

const unlisted = ({ listed, sent }: Comparison) =>
  [...sent].filter(([code]) => !listed.has(code)).map(([code, senders]) => ({ code, senders }));

export const codesWithoutBalance = (comparison: Comparison): Finding[] => {
  const { clients, listed, sent } = comparison;
  // Without any snapshot, another check says so once.
  if (clients.length === 0) return [];
  const sentCodeByListedCode = new Map(
    unlisted(comparison).map(({ code }) => [listedLike(comparison, code), code]),
  );
  return [...listed]
    .filter((code) => !sent.has(code))
    .map((code): Finding => {
      const other = sentCodeByListedCode.get(code);
      const advice =
        other === undefined
          ? 'Remove it from the list if it is no longer used. Otherwise, have the warehouse system send its balance, even if that is 0.'
          : `${other} has a balance and ${isOnlyCase(other, code) ? 'differs only in letter case' : 'looks the same'}. Correct the wrong code.`;
      return {
        kind: 'no-balance',
        client: '',
        subject: code,
        detail: `Is in the list, but has no balance in ${describeSnapshots(clients)}. ${advice}`,
      };
    });
};

/** Finds every code that looks like an earlier one. */
export const lookAlikes = (comparison: Comparison): Finding[] =>
  [...new Set([...comparison.listed, ...comparison.sent.keys()])].flatMap((code) => {
    const original = comparison.originalOf(code);
    return original === undefined ? [] : [lookAlike(comparison, code, original)];
  });

const lookAlike = (comparison: Comparison, code: string, original: string): Finding => {
  const isCase = isOnlyCase(code, original);
  const senders = comparison.listed.has(code) ? [] : (comparison.sent.get(code) ?? []);
  const [sender = '', ...others] = senders;
  const what = describeLikeness(code, original, originOf(comparison, original));
  return {
    kind: isCase ? 'case-differs' : 'look-alike',
    client: others.length === 0 ? sender : '',
    subject: code,
    detail: `Is ${placeOf(comparison, code)} and ${what}. ${adviceFor(comparison, code, original)}`,
  };
};

const placeOf = (comparison: Comparison, code: string) =>
  comparison.listed.has(code) ? 'in the list' : originOf(comparison, code);

const originOf = ({ listed, sent }: Comparison, code: string) =>
  listed.has(code) ? 'in the list' : `sent by ${joinNames(sent.get(code) ?? [])}`;

const adviceFor = ({ listed }: Comparison, code: string, original: string) => {
  if (listed.has(code)) return 'If both mean the same material, remove the wrong code from the list.';
  if (listed.has(original)) return 'If both mean the same material, correct the wrong code.';
  return 'If both mean the same material, have the warehouse system send only one of them.';
};
