import { escapeCharacter } from './quote.ts';

/** A spreadsheet runs a CSV cell that begins with one of these. The full-width characters matter to some spreadsheets only. */
const SIGNS = '=+\\-@＝＋－＠';
const START = `${SIGNS}\\t\\r\\n`;
/** A spreadsheet that separates by another character begins a cell here. For it, the quotation marks around our cell mean nothing. */
const SEPARATOR = '[;,\\t\\r\\n]"*';

const putApostrophes = (present: string) => {
  const start = new RegExp(`^(?=${present}[${START}])`);
  const behindSeparator = new RegExp(`${SEPARATOR}(?=${present}[${SIGNS}])`, 'g');
  return (text: string) => text.replace(start, "'").replace(behindSeparator, "$&'");
};

/** Puts an apostrophe before each part of a text that a spreadsheet would run, and before a part that looks guarded. */
export const guardCsvText = putApostrophes("'*");

/** A workbook never runs a text, so only a part that looks guarded needs another apostrophe. */
export const guardWorkbookText = putApostrophes("'+");

const GUARD_AT_START = new RegExp(`^'(?='*[${START}])`);
const GUARD_BEHIND_SEPARATOR = new RegExp(`(${SEPARATOR})'(?='*[${SIGNS}])`, 'g');

export const removeGuard = (text: string) =>
  text.replace(GUARD_AT_START, '').replace(GUARD_BEHIND_SEPARATOR, '$1');

const MAX_DIGITS = 15;

/**
 * Whether a spreadsheet keeps all digits of a number. It replaces the digits after the 15th by zeros. So zeros at the end may
 * be lost digits, and count.
 */
export const keepsDigits = (digits: string) =>
  digits.replace(/e.*/i, '').replace(/^-?[0.]*|\./g, '').length <= MAX_DIGITS;

/** Puts an apostrophe before a number that would lose digits. */
export const guardDigits = (digits: string) => (keepsDigits(digits) ? digits : `'${digits}`);

const JSON_TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const SIGN_IN_JSON_TEXT = new RegExp(`(?<=(?:^"|[;,])'*)[${SIGNS}]`, 'g');

/**
 * Puts an apostrophe before a number, `true`, `false` or `null`, because a spreadsheet would change it. Within the texts of JSON,
 * escapes what a spreadsheet would run, so that it stays JSON.
 */
export const guardJson = (json: string) =>
  /^["[{]/.test(json)
    ? json.replaceAll(JSON_TEXT, (text) => text.replaceAll(SIGN_IN_JSON_TEXT, escapeCharacter))
    : `'${json}`;

/** Undoes `guardDigits` and `guardJson`. A number or JSON never begins with an apostrophe of its own. */
export const removeApostrophe = (text: string) => (text.startsWith("'") ? text.slice(1) : text);

/** Matches leading zeros, exponents, 16 digits or more, decimals that end with 0, and dates. */
const CHANGED_TEXT =
  /^(?:0\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?e[+-]?\d+|\d{16,}|\d+[.,]\d*0|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?)$/i;

/** Whether a spreadsheet reads a text in CSV as a number or a date, and so changes it. */
export const isChangedBySpreadsheets = (text: string) => CHANGED_TEXT.test(text);
