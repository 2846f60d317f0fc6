import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { listNames, tables } from '../../../shared/tables.ts';
import { quote } from '../../text/quote.ts';
import type { ReadTarget } from '../rows/collect-rows.ts';
import { OTHER_LIST, type Place } from '../rows/issues.ts';
import { fromFileItem } from '../values/file-values.ts';
import { type Container, DEEPEST_VALUE, readJson } from '../values/json-values.ts';

/** The row, the array of rows, and the object around the array in the API's response. */
const LEVELS_ABOVE_VALUES = 3;

/** Reads an array of objects, or a response of the API. */
export const readJsonRows = (text: string, { name: list, rows, issues }: ReadTarget) => {
  const { partitionKey: key } = tables[list];
  const otherLists = listNames.filter((other) => other !== list);
  const otherKeys = otherLists.map((other) => tables[other].partitionKey);
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
    const otherKey = otherKeys.find((other) => Object.hasOwn(row, other));
    const hint = otherKey ? `, but a ${otherKey}: ${OTHER_LIST}` : '';
    return `the row has no ${key}${hint}`;
  };

  const isRowArray = (within: readonly Container[]) => {
    const [outer, inner] = within;
    if (within.length === 1) return outer?.isArray === true;
    return within.length === 2 && outer?.isArray === false && outer.name === list && inner?.isArray === true;
  };

  const isWithinRow = (within: readonly Container[]) =>
    isRowArray(within.slice(0, 1)) || isRowArray(within.slice(0, 2));

  const placeOfRow = (line: number): Place => ({ line, entry: rowCount + 1 });

  /** The issue of a value that is outside of the rows. The value may be the array of rows itself. */
  const outsideIssue = (value: AttributeValue, outer: Container | undefined) => {
    if (!outer) return value.M && Object.keys(value.M).length === 0 ? shape : undefined;
    if (outer.name !== list) return unknownIssue(outer.name ?? '');
    return value.L ? undefined : `${list} must be an array; ${shape}`;
  };

  const unknownIssue = (name: string) => {
    const isOther = otherLists.some((other) => other === name);
    return `${quote(name)} is not known here${isOther ? `: ${OTHER_LIST}` : `; ${shape}`}`;
  };

  const handleOutside = (value: AttributeValue, line: number, within: readonly Container[]) => {
    const [outer] = within;
    if (within.length > 1 || outer?.isArray) return false;
    const detail = outsideIssue(value, outer);
    if (detail) issues.add({ line }, detail);
    return true;
  };

  readJson(text, {
    addIssue: (line, detail, within) => issues.add(isWithinRow(within) ? placeOfRow(line) : { line }, detail),
    onValue: (value, line, within) => {
      if (!isRowArray(within)) return handleOutside(value, line, within);
      const place = placeOfRow(line);
      rowCount += 1;
      addRow(value, place);
      return true;
    },
    deepest: DEEPEST_VALUE + LEVELS_ABOVE_VALUES,
  });
};
