import * as v from 'valibot';

/** `say` tells whoever waits what is going on. */
type Say = (line: string) => void;

type Parts<TMeasured> = {
  /** In docs/performance.measured.json, and for `--only`. */
  name: string;
  schema: v.GenericSchema<unknown, TMeasured>;
  measure: (say: Say) => Promise<TMeasured>;
  /** Markdown from its heading of the second level on; every figure in it comes from what was measured. */
  document: (measured: TMeasured) => string;
};

/** A part of docs/performance.md: how it is measured, what is kept of that, and what the page says of it. */
export type Section = Parts<unknown>;

export const section = <TMeasured>({ document, ...parts }: Parts<TMeasured>): Section => ({
  ...parts,
  document: (measured) => document(v.parse(parts.schema, measured)),
});
