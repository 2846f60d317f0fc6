import { joinNames } from '../cli/words.ts';
import { type Comparison, describeSnapshots } from './comparison.ts';
import { describeDifference } from './describe-difference.ts';
import type { Finding } from './finding.ts';
import { ignoreCase } from './lookalikes.ts';

const isCaseAlone = (code: string, original: string) => ignoreCase(code) === ignoreCase(original);

/** A person can see a difference in case. Other differences need the code points. */
const describeLikeness = (code: string, original: string, where: string) =>
  isCaseAlone(code, original)
    ? `differs in upper and lower case alone from ${original} ${where}`
    : `looks like ${original} ${where}: ${describeDifference(code, original)}`;

/** The code of the list that an unlisted code looks like. */
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
        ? `Has a balance, and the list lacks it.${question} Add it to the list, or correct it in the warehouse system.`
        : `Has a balance, and the list lacks it; it ${describeLikeness(code, likeness, 'of the list')}. Correct the one that is wrong.`;
    return senders.map((client): Finding => ({ kind: 'unlisted-code', client, subject: code, detail }));
  });

const unlisted = ({ listed, sent }: Comparison) =>
  [...sent].filter(([code]) => !listed.has(code)).map(([code, senders]) => ({ code, senders }));

export const codesWithoutBalance = (comparison: Comparison): Finding[] => {
  const { clients, listed, sent } = comparison;
  // Without any snapshot, that is the fault, and not each code.
  if (clients.length === 0) return [];
  const sentFor = new Map(unlisted(comparison).map(({ code }) => [listedLike(comparison, code), code]));
  return [...listed]
    .filter((code) => !sent.has(code))
    .map((code): Finding => {
      const other = sentFor.get(code);
      const advice =
        other === undefined
          ? 'Remove it from the list if it is used no more, or let the warehouse system send it, a balance of 0 included.'
          : `${other}, which has one, ${isCaseAlone(other, code) ? 'differs in upper and lower case alone' : 'looks like it'}. Correct the one that is wrong.`;
      return {
        kind: 'no-balance',
        client: '',
        subject: code,
        detail: `Is in the list, and has no balance in ${describeSnapshots(clients)}. ${advice}`,
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
  const isCase = isCaseAlone(code, original);
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
  listed.has(code) ? 'of the list' : `sent by ${joinNames(sent.get(code) ?? [])}`;

const adviceFor = ({ listed }: Comparison, code: string, original: string) => {
  if (listed.has(code)) return 'If they are one material, remove the one that is wrong from the list.';
  if (listed.has(original)) return 'If they are one material, correct the one that is wrong.';
  return 'If they are one material, let the warehouse system send one code for it.';
};
