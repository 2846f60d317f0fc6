import type { Item } from '../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../shared/tables.ts';
import type { List, ListPlan } from '../lists/plan/plan-changes.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import { attributeOf } from '../lists/values/compare-values.ts';
import { UNWRITABLE_NAME } from '../lists/values/json-values.ts';
import { UNIT_ATTRIBUTES } from '../stock/checks/check-tables.ts';
import type { Marked } from '../text/marked.ts';
import { quote } from '../text/quote.ts';
import { countOf, formatNumber, joinFirstNames } from '../text/words.ts';
import { lostNamesIn, newNamesIn } from './changes.ts';
import type { Uses, UsesQuestion } from './find-uses.ts';
import { warnOfLikeSent, warnOfLookAlikes } from './warn-of-look-alikes.ts';
import { describeBatches, describeUnchecked, warnOfUnits, warnOfUses } from './warn-of-uses.ts';

/** `failure` says why the balances cannot be read. */
export type AskUses = (question: UsesQuestion) => Promise<Uses | { failure: string }>;

/** Adds warnings to a plan: what a person should look at before the changes are written. */
export const reviewPlan = async (
  list: ListName,
  stored: List,
  plan: ListPlan,
  askUses: AskUses,
): Promise<ListPlan> => {
  const warnings = [
    ...plan.warnings,
    ...warnOfLookAlikes(list, stored, plan.changes),
    ...warnOfManyRemovals(list, stored, plan.changes),
    ...warnOfUnwritable(plan.changes),
  ];
  const question = toQuestion(list, plan.changes);
  const { lost, units, added } = question;
  if (lost.length + units.length + added.length === 0) return { ...plan, warnings };
  const uses = await askUses(question);
  if ('failure' in uses)
    return { ...plan, warnings: [...warnings, [describeUnchecked(question, uses.failure)]] };
  const likeSent = warnOfLikeSent(stored, uses);
  const isCompared = lost.length + units.length + likeSent.length > 0;
  return {
    ...plan,
    notices: [...plan.notices, ...(isCompared ? describeBatches(uses) : [])],
    warnings: [...warnings, ...likeSent, ...warnOfUses(list, uses, plan.changes), ...warnOfUnits(uses)],
  };
};

const MANY = 10;

const warnOfManyRemovals = (list: ListName, stored: List, changes: readonly RowChange[]): Marked[] => {
  const { length } = changes.filter(({ kind }) => kind === 'removed');
  const isMany = length > MANY && length > stored.size / 10;
  const counts = `${formatNumber(length)} of ${countOf(stored.size, tables[list].partitionKey)}`;
  return isMany ? [[`More than a tenth of the list is removed: ${counts}.`]] : [];
};

/** The history cannot keep the value of such an attribute. */
const warnOfUnwritable = (changes: readonly RowChange[]): Marked[] => {
  const hasIt = (row: Item) => Object.hasOwn(row, UNWRITABLE_NAME);
  const lost = changes.filter(({ before, after }) => hasIt(before) && !hasIt(after));
  const names = joinFirstNames(lost.map(({ identifier }) => quote(identifier)));
  return names === ''
    ? []
    : [[`An undo would bring ${names} back without the attribute ${UNWRITABLE_NAME}.`]];
};

const toQuestion = (list: ListName, changes: readonly RowChange[]): UsesQuestion => ({
  list,
  lost: lostNamesIn(changes),
  units: list === 'MaterialCodes' ? changes.flatMap(changedUnit) : [],
  added: list === 'MaterialCodes' ? newNamesIn(list, changes) : [],
});

const changedUnit = ({ identifier: material, before, after }: RowChange) => {
  const [old, unit] = [unitIn(before), unitIn(after)];
  return old !== undefined && unit !== undefined && unit !== old ? [{ material, unit }] : [];
};

const unitIn = (row: Item) =>
  UNIT_ATTRIBUTES.map((name) => attributeOf(row, name)?.S).find((unit) => unit !== undefined);
