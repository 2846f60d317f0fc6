import * as v from 'valibot';
import { WrongUsage } from '../cli/failure.ts';
import type { Format } from '../cli/output.ts';

export const formatOptions = {
  json: v.optional(v.boolean()),
  csv: v.optional(v.boolean()),
  separator: v.picklist([',', ';']),
  decimal: v.optional(v.picklist(['.', ','])),
  bom: v.optional(v.boolean(), true),
  out: v.optional(v.string()),
};
const Options = v.object(formatOptions);
type Options = v.InferOutput<typeof Options>;

const endings = ['csv', 'json', 'xlsx'] as const;

export const chooseFormat = (options: Options): Format => {
  const kind = chooseKind(options);
  if (kind === 'csv') return csvFormat(options);
  // Undefined for a pipe.
  return kind ? { kind } : { kind: 'table', width: process.stdout.columns || undefined };
};

/** A spreadsheet that separates cells by semicolons uses a decimal comma. */
export const csvFormat = ({ separator, decimal = separator === ';' ? ',' : '.', bom }: Options) => ({
  kind: 'csv' as const,
  separator,
  decimal,
  hasByteOrderMark: bom,
});

const chooseKind = ({ json, csv, out }: Options) => {
  if (json && csv) throw new WrongUsage('Give --json or --csv, not both.');
  const asked = json ? 'json' : csv ? 'csv' : undefined;
  if (out === undefined) return asked;
  const ending = endings.find((kind) => out.toLowerCase().endsWith(`.${kind}`));
  if (!ending && !asked) throw new WrongUsage(`The name ${out} must end in .csv, .json or .xlsx.`);
  if (asked && ending && asked !== ending) {
    throw new WrongUsage(`--${asked} and the ending of ${out} are different formats. Leave one of them out.`);
  }
  return ending ?? asked;
};
