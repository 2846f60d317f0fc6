import { type ListName, tables } from '../../shared/tables.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import type { Marked } from '../text/marked.ts';
import { formatTime } from '../text/time.ts';
import { formatNumber, joinFirstNames, joinNames } from '../text/words.ts';
import { describeMore, MAX_WARNINGS_OF_KIND, nameAfter } from './changes.ts';
import type { Use, Uses, UsesQuestion } from './find-uses.ts';

export const describeUnchecked = ({ list, lost, units, added }: UsesQuestion, failure: string) => {
  const unchecked = [
    ...(added.length > 0 ? [`new ${tables[list].list.title}`] : []),
    ...(lost.length > 0 ? [`removed or renamed ${tables[list].list.title}`] : []),
    ...(units.length > 0 ? ['new units'] : []),
  ];
  return `Not compared with balances: ${joinNames(unchecked)}. ${failure}`;
};

export const describeBatches = ({ batches: { count, first, last } }: Uses) => {
  const [from, to] = [first, last].map((time) => formatTime(new Date(time)));
  if (count === 0) return ['No warehouse has sent a batch yet, so there are no balances to compare with.'];
  const times = from === to ? from : `from ${from} to ${to}`;
  return [
    `Compared with the latest ${count === 1 ? 'batch of 1 warehouse' : `batches of ${formatNumber(count)} warehouses`}, received ${times}.`,
  ];
};

export const warnOfUses = (list: ListName, { used, uses }: Uses, changes: readonly RowChange[]): Marked[] => {
  const renamed = new Map(
    changes.flatMap((change) =>
      change.kind === 'renamed' ? [[change.identifier, nameAfter(list, change)]] : [],
    ),
  );
  const isCode = list === 'MaterialCodes';
  const byIdentifier = Map.groupBy(uses, ({ identifier }) => identifier);
  return [
    ...[...byIdentifier].map(([identifier, places]): Marked => {
      const name = renamed.get(identifier);
      const fate = name === undefined ? 'is removed' : `becomes ${name}`;
      const described = joinFirstNames(places.map(isCode ? describeBalance : describeOrder));
      const [balance, name_] = places.length === 1 ? ['a balance', 'names'] : ['balances', 'name'];
      return [
        `${identifier} ${fate}, but ${isCode ? `has ${balance}` : `${balance} ${name_} it`}: ${described}.`,
      ];
    }),
    ...describeMore(used.length, 'row is in use', 'rows are in use'),
  ];
};

const describeBalance = ({ value, unit, client, orders }: Use) =>
  `${formatNumber(value)} ${unit} in ${client}${orders === '' ? '' : ` (for ${joinFirstNames(orders.split(' '))})`}`;

const describeOrder = ({ material, client }: Use) => `${material} in ${client}`;

export const warnOfUnits = ({ unusedUnits }: Uses): Marked[] => {
  const quoted = (units: readonly string[]) => joinNames(units.map((unit) => `"${unit}"`));
  const alike = Map.groupBy(unusedUnits, ({ unit, ownUnits }) => JSON.stringify([unit, ownUnits]));
  const groups = [...alike.values()];
  return [
    ...groups.slice(0, MAX_WARNINGS_OF_KIND).flatMap((group): Marked[] => {
      const [{ unit = '', ownUnits = [] } = {}] = group;
      const whose = group.length === 1 ? 'its' : 'their';
      const have = ownUnits.length === 0 ? 'no balance has it' : `${whose} balances have ${quoted(ownUnits)}`;
      return [
        [
          `The unit of ${joinFirstNames(group.map(({ material }) => material))} becomes "${unit}", but ${have}.`,
        ],
      ];
    }),
    ...describeMore(
      groups.length,
      'new unit is in no balance of its material',
      'new units are in no balance of their materials',
    ),
  ];
};
