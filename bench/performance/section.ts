import * as v from 'valibot';

/** `say` tells whoever waits what is going on. */
type Say = (line: string) => void;

/** What was set to be reached, and what it came to. */
export type Aim = { what: string; set: string; found: string; isMet: boolean };

type Parts<TMeasured> = {
  /** In docs/performance.measured.json, and for `--only`. */
  name: string;
  schema: v.GenericSchema<unknown, TMeasured>;
  measure: (say: Say) => Promise<TMeasured>;
  aims?: (measured: TMeasured) => Aim[];
  /** Markdown from its heading of the second level on; every figure in it comes from what was measured. */
  document: (measured: TMeasured) => string;
};

/** A part of docs/performance.md: how it is measured, what is kept of that, and what the page says of it. */
export type Section = Required<Parts<unknown>>;

export const section = <TMeasured>({ document, aims = () => [], ...parts }: Parts<TMeasured>): Section => ({
  ...parts,
  aims: (measured) => aims(v.parse(parts.schema, measured)),
  document: (measured) => document(v.parse(parts.schema, measured)),
});
