import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { catalogNames, tables } from '../../shared/tables.ts';
import type { ImportTarget } from './collect-rows.ts';
import { OTHER_LIST, type Place, quote } from './faults.ts';
import { type Container, DEEPEST_VALUE, readJson } from './json-values.ts';

/** The row, its array, and the object around it, as in the API's answer. */
const LEVELS_ABOVE_VALUES = 3;

/** Reads an array of objects, or the API's own answer. */
export const readJsonRows = (text: string, { name, rows, faults }: ImportTarget) => {
  const { partitionKey: key } = tables[name];
  const others = catalogNames.filter((other) => other !== name);
  const otherKeys = others.map((other) => tables[other].partitionKey);
  const shape = `the file must be an array of objects with ${key}, or {"${name}": […]} like the API's response`;
  let entries = 0;

  const addRow = (value: AttributeValue, place: Place) => {
    if (!value.M) return faults.add(place, 'a row must be an object');
    const { [key]: identifier, ...attributes } = value.M;
    if (!Object.hasOwn(value.M, key)) return faults.add(place, keylessFault(value.M));
    if (identifier?.S === undefined) return faults.add(place, `${key} must be a string`);
    rows.add(identifier.S, { ...place, attributes, cleared: [] });
  };

  const keylessFault = (row: Record<string, AttributeValue>) => {
    const otherKey = otherKeys.find((other) => Object.hasOwn(row, other));
    const hint = otherKey ? `, but a ${otherKey}: ${OTHER_LIST}` : '';
    return `the row has no ${key}${hint}`;
  };

  const isListOfRows = (within: readonly Container[]) => {
    const [outer, inner] = within;
    if (within.length === 1) return outer?.isArray === true;
    return within.length === 2 && outer?.isArray === false && outer.name === name && inner?.isArray === true;
  };

  const isWithinRow = (within: readonly Container[]) =>
    isListOfRows(within.slice(0, 1)) || isListOfRows(within.slice(0, 2));

  const placeOfRow = (line: number): Place => ({ line, entry: entries + 1 });

  /** A document with the other list already has a fault. */
  const hasList = (document: Record<string, AttributeValue>) =>
    catalogNames.some((list) => Object.hasOwn(document, list));

  /** The fault of a value outside the rows, which may be the list itself. */
  const otherFault = (value: AttributeValue, outer: Container | undefined) => {
    if (!outer) return value.M && !hasList(value.M) ? shape : undefined;
    if (outer.name !== name) return unknownFault(outer.name ?? '');
    return value.L ? undefined : `${name} must be an array; ${shape}`;
  };

  const unknownFault = (outer: string) => {
    const isOther = others.some((other) => other === outer);
    return `${quote(outer)} is not known here${isOther ? `: ${OTHER_LIST}` : `; ${shape}`}`;
  };

  const handleOther = (value: AttributeValue, line: number, within: readonly Container[]) => {
    const [outer] = within;
    if (within.length > 1 || outer?.isArray) return false;
    const detail = otherFault(value, outer);
    if (detail) faults.add({ line }, detail);
    return true;
  };

  readJson(text, {
    fault: (line, detail, within) => faults.add(isWithinRow(within) ? placeOfRow(line) : { line }, detail),
    onValue: (value, line, within) => {
      if (!isListOfRows(within)) return handleOther(value, line, within);
      const place = placeOfRow(line);
      entries += 1;
      addRow(value, place);
      return true;
    },
    deepest: DEEPEST_VALUE + LEVELS_ABOVE_VALUES,
  });
};
