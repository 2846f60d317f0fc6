import { byCode } from '../../support/batches.ts';
import type { StoredBatch } from '../../support/table-reader.ts';

// A second implementation of the contract, written only from its text. It shares no code with the service, so that a
// mistake in one of the two implementations makes a test fail.

export type Verdict =
  | { status: 200; keeps: { timestamp: string } | { batch: StoredBatch } }
  | { status: 400 };

const REFUSED: Verdict = { status: 400 };

/** Removes a byte-order mark. Invalid UTF-8 becomes U+FFFD on its way, so both are refused. */
const read = (bytes: Uint8Array): unknown => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\uFFFD') ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const judgeChange = (bytes: Uint8Array): Verdict => {
  const timestamp = fieldsOf(read(bytes), ['Timestamp'])?.[0];
  return typeof timestamp === 'string' && isInstant(timestamp)
    ? { status: 200, keeps: { timestamp } }
    : REFUSED;
};

export const judgeBatch = (bytes: Uint8Array): Verdict => {
  const entries = fieldsOf(read(bytes), ['MaterialCodes'])?.[0];
  if (!Array.isArray(entries) || entries.length === 0) return REFUSED;
  const batch = entries.map(judgeEntry).filter((entry) => entry !== undefined);
  const codes = new Set(batch.map(({ MaterialCode }) => MaterialCode));
  if (batch.length !== entries.length || codes.size !== entries.length) return REFUSED;
  return { status: 200, keeps: { batch: batch.toSorted(byCode) } };
};

/** Returns undefined if a field is missing, or if the value has another field. */
const fieldsOf = (value: unknown, names: string[]): unknown[] | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const isExact = fields.size === names.length && names.every((name) => fields.has(name));
  return isExact ? names.map((name) => fields.get(name)) : undefined;
};

const ENTRY = ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders'];

const judgeEntry = (value: unknown) => {
  const [code, balance, unit, orders] = fieldsOf(value, ENTRY) ?? [];
  const storedOrders = ordersOf(orders);
  if (!isCode(code) || !isBalance(balance) || !isUnit(unit) || !storedOrders) return undefined;
  return {
    MaterialCode: code,
    StockBalance: balance === 0 ? 0 : balance,
    StockBalanceUnit: unit,
    PurchaseOrders: storedOrders,
  };
};

const within = (count: number, from: number, to: number) => count >= from && count <= to;

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && within([...value].length, 1, 256) && [...value].every(isCodeSign);
const isCodeSign = (sign: string) => '/-,'.includes(sign) || /\p{L}|\p{M}|\p{Nd}/u.test(sign);

const isBalance = (value: unknown): value is number =>
  typeof value === 'number' &&
  within(value, -9_007_199_254_740_991, 9_007_199_254_740_991) &&
  (value === 0 || Math.abs(value) >= 1e-130);

const isUnit = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.isWellFormed() &&
  within([...value].length, 1, 32) &&
  ![...value].some((sign) => sign === '\uFFFD' || isControl(sign.codePointAt(0) ?? 0));
const isControl = (point: number) => point < 0x20 || within(point, 0x7f, 0x9f);

const ordersOf = (value: unknown): string[] | undefined => {
  if (fieldsOf(value, [])) return [];
  if (!Array.isArray(value) || !within(value.length, 1, 100)) return undefined;
  return value.every(isOrder) ? value : undefined;
};
const isOrder = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 9 && /^OT\d{7}$/.test(value);

const isInstant = (text: string) => {
  const parts = /^(\d\d\d\d)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d),(\d\d\d)Z$/.exec(text);
  if (!parts || text.length !== 24) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  const isOnCalendar = within(month, 1, 12) && within(day, 1, daysIn(year, month));
  return isOnCalendar && hour < 24 && minute < 60 && second < 60;
};

const daysIn = (year: number, month: number) => {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
