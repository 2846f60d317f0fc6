import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { listNames, tables } from '../../../shared/tables.ts';
import { quote } from '../../text/quote.ts';
import type { ReadTarget } from '../rows/collect-rows.ts';
import { OTHER_LIST, type Place } from '../rows/issues.ts';
import { fromFileItem } from '../values/file-values.ts';
import { type Container, DEEPEST_VALUE, readJson } from '../values/json-values.ts';

/** The row, the array of rows, and the object around the array in the API's response. */
const LEVELS_ABOVE_VALUES = 3;

const FILE: Place = { unit: 'file', at: 0 };

/** Reads an array of objects, or a response of the API. */
export const readJsonRows = (text: string, { name: list, rows, issues }: ReadTarget) => {
  const { partitionKey: key } = tables[list];
  const otherLists = listNames.filter((other) => other !== list);
  const shape = `the file must be an array of objects with ${key}, or {"${list}": […]} like the API's response`;
  let rowCount = 0;

  const addRow = (value: AttributeValue, place: Place) => {
    if (!value.M) return issues.add(place, 'a row must be an object');
    const { [key]: identifier, ...attributes } = value.M;
    if (!Object.hasOwn(value.M, key)) return issues.add(place, keylessIssue(value.M));
    if (identifier?.S === undefined) return issues.add(place, `${key} must be a string`);
    rows.add(identifier.S, { ...place, attributes: fromFileItem(attributes), cleared: [] });
  };

  const keylessIssue = (row: Record<string, AttributeValue>) => {
    const otherKeys = otherLists.map((other) => tables[other].partitionKey);
    const otherKey = otherKeys.find((other) => Object.hasOwn(row, other));
    const hint = otherKey ? `, but a ${otherKey}: ${OTHER_LIST}` : '';
    return `the row has no ${key}${hint}`;
  };

  /** Whether these containers are the array of the rows, perhaps in the object of the API's response. */
  const isRowArray = ([outer, inner]: readonly Container[]) =>
    inner ? outer?.name === list && inner.isArray : outer?.isArray === true;

  const isInRow = (within: readonly Container[]) =>
    isRowArray(within.slice(0, 1)) || isRowArray(within.slice(0, 2));

  const top = readJson(text, {
    addIssue: (detail, within) =>
      issues.add(isInRow(within) ? { unit: 'entry', at: rowCount + 1 } : FILE, detail),
    onValue: (value, within) => {
      if (within.length > 2 || !isRowArray(within)) return false;
      rowCount += 1;
      addRow(value, { unit: 'entry', at: rowCount });
      return true;
    },
    deepest: DEEPEST_VALUE + LEVELS_ABOVE_VALUES,
  });

  const around = Object.entries(top?.M ?? {});
  if (top?.M && around.length === 0) issues.add(FILE, shape);
  for (const [name, value] of around) {
    const isOther = otherLists.some((other) => other === name);
    if (name !== list)
      issues.add(FILE, `${quote(name)} is not known here${isOther ? `: ${OTHER_LIST}` : `; ${shape}`}`);
    else if (!value.L) issues.add(FILE, `${list} must be an array; ${shape}`);
  }
};
