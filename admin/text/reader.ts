/** How a reader of texts writes times and numbers. */
export type Reader = {
  timeZone: string;
  decimal: '.' | ',';
  /** Whether each time has its distance from UTC, because nothing else names the zone. */
  namesZone?: boolean;
  /** Programs read ISO times and plain digits. */
  isProgram?: boolean;
};

/** What JSON, SQL and the CSV of commands have. */
export const PROGRAM: Reader = { timeZone: 'UTC', decimal: '.', namesZone: true, isProgram: true };

const parts = new Intl.NumberFormat().formatToParts(0.5);
const decimal = parts.some(({ value }) => value === ',') ? ',' : '.';

/** The person at this machine or in this browser. The zone is found when a time is written, because that takes longer than to write a number. */
export const readerHere = (): Reader => ({
  get timeZone() {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    // A machine whose zone nobody knows has this name, which is refused as a zone. Its clock shows UTC.
    return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
  },
  decimal,
});

let findReader = readerHere;
/** For whom texts are written now. */
export const reader = (): Reader => findReader();
export const findReaderBy = (find: () => Reader) => {
  findReader = find;
};
