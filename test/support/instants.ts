/** As a change reports it. */
export const timestampOf = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.', ',');

const FIRST = Date.UTC(2026, 0, 1);
/** Of a deployment's table nobody empties it, so a later run begins elsewhere. */
let instant = FIRST + (Date.now() % 10_000_000_000);

/** A timestamp that no earlier request of this process has reported. */
export const newTimestamp = () => {
  instant += 1;
  return timestampOf(instant);
};
