import type { AttributeValue } from '../../shared/attribute-json.ts';
import { type CatalogName, catalogs } from '../../shared/catalog.ts';
import { type Faults, quote } from './faults.ts';
import { type Container, DEEPEST_VALUE, readJson } from './json-values.ts';
import type { RowCollector } from './row-collector.ts';

/** A row stands in the array, which may stand in an object, as in the API's answer. */
const LEVELS_ABOVE_VALUES = 3;

/** An array of objects, or the API's own answer. */
export const readJsonRows = (text: string, name: CatalogName, rows: RowCollector, faults: Faults) => {
  const { key } = catalogs[name];
  const shape = `the file has to be an array of objects, each with ${key}, or {"${name}": […]}, as the API answers`;

  const takeRow = (value: AttributeValue, line: number) => {
    if (!value.M) return faults.add(line, 'a row has to be an object');
    const { [key]: identifier, ...attributes } = value.M;
    if (!Object.hasOwn(value.M, key)) return faults.add(line, `the row has no ${key}`);
    if (identifier?.S === undefined) return faults.add(line, `${key} has to be a string`);
    rows.add(identifier.S, { line, attributes, cleared: [] });
  };

  const isListOfRows = (within: readonly Container[]) => {
    const [outer, inner] = within;
    if (within.length === 1) return outer?.isArray === true;
    return within.length === 2 && outer?.isArray === false && outer.name === name && inner?.isArray === true;
  };

  /** Of what stands where no row can: the list itself, which is through by then, or what has no business there. */
  const otherFault = (value: AttributeValue, outer: Container | undefined) => {
    if (!outer) return value.M && !Object.hasOwn(value.M, name) ? shape : undefined;
    if (outer.name !== name) return `${quote(outer.name ?? '')} is not known here; ${shape}`;
    return value.L ? undefined : `${name} has to be an array; ${shape}`;
  };

  const takeOther = (value: AttributeValue, line: number, within: readonly Container[]) => {
    const [outer] = within;
    if (within.length > 1 || outer?.isArray) return false;
    const detail = otherFault(value, outer);
    if (detail) faults.add(line, detail);
    return true;
  };

  readJson(text, {
    fault: faults.add,
    take: (value, line, within) => {
      if (!isListOfRows(within)) return takeOther(value, line, within);
      takeRow(value, line);
      return true;
    },
    deepest: DEEPEST_VALUE + LEVELS_ABOVE_VALUES,
  });
};
