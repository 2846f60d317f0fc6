import * as v from 'valibot';
import { type AttributeValue, toListRow } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { isChangedBySpreadsheets } from '../../text/guard-cells.ts';
import { quote } from '../../text/quote.ts';
import { responseMeter, sizeFailure } from '../values/size-limits.ts';
import { identifierSchemas } from './identifier-schemas.ts';
import { formatPlace, type Issues, type Place } from './issues.ts';

/** A row of a file. `cleared` names the attributes whose cells are empty. */
export type FileRow = Place & {
  attributes: Record<string, AttributeValue>;
  cleared: readonly string[];
};

const SPREADSHEET_ADVICE = ' A spreadsheet may have changed it. Format the column as text and type it again.';

/** Collects the rows of a file. Throws as soon as the rows are far too many for one list. */
export const collectRows = (name: ListName, issues: Issues) => {
  const { partitionKey: key } = tables[name];
  const rows = new Map<string, FileRow>();
  const meter = responseMeter(name);

  const identifierIssue = (identifier: string) => {
    if (identifier === '') return `the ${key} is missing`;
    const earlier = rows.get(identifier);
    if (earlier) return `the ${key} ${quote(identifier)} is already in ${formatPlace(earlier)}`;
    const issue = v.safeParse(identifierSchemas[name], identifier).issues?.[0];
    if (!issue) return undefined;
    const spaces = identifier.trim() === identifier ? '' : ' Remove the spaces around it.';
    const advice = isChangedBySpreadsheets(identifier) ? SPREADSHEET_ADVICE : '';
    return `${quote(identifier)} is not a valid ${key}: ${issue.message}${spaces}${advice}`;
  };

  const throwTooLong = (): never => {
    issues.throwIfAny();
    const isReadToEnd = !meter.isFarTooLarge();
    throw sizeFailure(meter.describeExcess('The file alone is too long for the API', isReadToEnd));
  };

  return {
    add: (identifier: string, row: FileRow) => {
      const issue = identifierIssue(identifier);
      if (issue) return issues.add(row, issue);
      meter.count(toListRow(key, { [key]: { S: identifier }, ...row.attributes }));
      if (meter.isFarTooLarge()) throwTooLong();
      // A file that is too large will be refused, so only its size is still counted.
      if (meter.isTooLarge()) rows.clear();
      else rows.set(identifier, row);
    },
    finish: () => {
      issues.throwIfAny();
      if (meter.isTooLarge()) throwTooLong();
      return rows;
    },
  };
};

/** Where the readers of CSV, JSON and workbooks add rows and issues. */
export type ReadTarget = { name: ListName; rows: ReturnType<typeof collectRows>; issues: Issues };
