import type { Context } from './context.ts';
import { differenceInWords } from './difference.ts';
import type { Finding } from './finding.ts';
import { latestOf, named } from './format.ts';
import { caseless } from './lookalikes.ts';

const isCaseAlone = (code: string, original: string) => caseless(code) === caseless(original);

/** What a person cannot see is told by its number; upper and lower case can be seen. */
const likeness = (code: string, original: string, where: string) =>
  isCaseAlone(code, original)
    ? `differs in upper and lower case alone from ${original} ${where}`
    : `looks like ${original} ${where}: ${differenceInWords(code, original)}`;

/** Of a code that is not in the list, the one in the list that is meant, as far as the eye can tell. */
const listedLike = ({ listed, originalOf }: Context, code: string) => {
  const original = originalOf(code);
  return original !== undefined && listed.has(original) ? original : undefined;
};

export const unlistedCodes = (context: Context): Finding[] =>
  unlisted(context).flatMap(({ code, senders }) => {
    const meant = listedLike(context, code);
    const detail =
      meant === undefined
        ? 'Has a balance, and the list lacks it. Add it to the list, or correct it in the warehouse system.'
        : `Has a balance, and the list lacks it; it ${likeness(code, meant, 'of the list')}. Correct the one that is wrong.`;
    return senders.map((client): Finding => ({ kind: 'unlisted-code', client, subject: code, detail }));
  });

const unlisted = ({ listed, sent }: Context) =>
  [...sent].filter(([code]) => !listed.has(code)).map(([code, senders]) => ({ code, senders }));

export const codesWithoutBalance = (context: Context): Finding[] => {
  const { clients, listed, sent } = context;
  // Where nothing was ever sent, that is the fault, and not each code.
  if (clients.length === 0) return [];
  const sentFor = new Map(unlisted(context).map(({ code }) => [listedLike(context, code), code]));
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
        detail: `Is in the list, and has no balance in ${latestOf(clients)}. ${advice}`,
      };
    });
};

/** Of codes that look alike, each but the one that the others are measured by. */
export const lookAlikes = (context: Context): Finding[] =>
  [...new Set([...context.listed, ...context.sent.keys()])].flatMap((code) => {
    const original = context.originalOf(code);
    return original === undefined ? [] : [lookAlike(context, code, original)];
  });

const lookAlike = (context: Context, code: string, original: string): Finding => {
  const isCase = isCaseAlone(code, original);
  const senders = context.listed.has(code) ? [] : (context.sent.get(code) ?? []);
  const [sender = '', ...others] = senders;
  const what = likeness(code, original, originOf(context, original));
  return {
    kind: isCase ? 'case-differs' : 'look-alike',
    client: others.length === 0 ? sender : '',
    subject: code,
    detail: `Is ${placeOf(context, code)} and ${what}. ${adviceFor(context, code, original)}`,
  };
};

const placeOf = (context: Context, code: string) =>
  context.listed.has(code) ? 'in the list' : originOf(context, code);

const originOf = ({ listed, sent }: Context, code: string) =>
  listed.has(code) ? 'of the list' : `sent by ${named(sent.get(code) ?? [])}`;

const adviceFor = ({ listed }: Context, code: string, original: string) => {
  if (listed.has(code)) return 'If they are one material, remove the one that is wrong from the list.';
  if (listed.has(original)) return 'If they are one material, correct the one that is wrong.';
  return 'If they are one material, let the warehouse system send one code for it.';
};
