import * as v from 'valibot';
import { isRealInstant } from '../../shared/schemas/change.ts';

/** The worst comes first. */
export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

export const TOPIC = 'told';

const text = v.string();
/** All times have one form, so that they are in order as texts. */
export const Time = v.pipe(
  text,
  v.isoTimestamp(),
  v.endsWith('Z'),
  v.check(isRealInstant),
  v.transform((time) => new Date(time).toISOString()),
);
export const Version = v.pipe(v.number(), v.safeInteger());

/** An item of AdminRecords. Somebody may have edited it by hand. */
const Item = v.pipe(
  v.object({
    Id: v.pipe(text, v.regex(/^[^|]+\|[^|]+$/)),
    By: v.fallback(text, ''),
    At: Time,
    Note: v.fallback(text, ''),
    /** Without it, the warehouse was told. If it is not after `At`, the mark was taken back. */
    Until: v.optional(Time),
    /** Of the findings at that time. */
    Severity: v.picklist(severities),
    Version,
  }),
  v.transform(({ Id, By: by, At: at, Note: note, Until: until = null, Severity, Version: version }) => {
    const [scope = '', kind = ''] = Id.split('|');
    return { scope, kind, by, at, note, until, severity: Severity, version };
  }),
);

/** An admin has told the warehouse of all findings of a kind, or knows them until a time. All times are texts. */
export type Mark = v.InferOutput<typeof Item>;

/** Undefined if an item is damaged. */
export const toMark = (item: unknown): Mark | undefined => {
  const { success, output } = v.safeParse(Item, item);
  return success ? output : undefined;
};

export const toItem = ({ scope, kind, by, at, note, until, severity, version }: Mark) => ({
  ...{ Topic: TOPIC, Id: `${scope}|${kind}`, By: by, At: at, Note: note },
  ...(until === null ? {} : { Until: until }),
  ...{ Severity: severity, Version: version },
});
