/** A spreadsheet runs a CSV cell that begins with such a character. The full-width characters matter to some spreadsheets only. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** Puts an apostrophe before a text that a spreadsheet would run, and before a text that looks guarded. */
export const guardCsvText = (text: string) => (FORMULA.test(text) ? `'${text}` : text);

/** A workbook never runs a text, so only a text that looks guarded needs another apostrophe. */
export const guardWorkbookText = (text: string) => (GUARDED.test(text) ? `'${text}` : text);

export const removeGuard = (text: string) => (GUARDED.test(text) ? text.slice(1) : text);

const MAX_DIGITS = 15;

/**
 * Whether a spreadsheet keeps all digits of a number. It replaces the digits after the 15th by zeros. So zeros at the end may
 * be lost digits, and count.
 */
export const keepsDigits = (digits: string) =>
  digits.replace(/e.*/i, '').replace(/^-?[0.]*|\./g, '').length <= MAX_DIGITS;

/** Puts an apostrophe before a number that would lose digits. */
export const guardDigits = (digits: string) => (keepsDigits(digits) ? digits : `'${digits}`);

/** Puts an apostrophe before a number, `true`, `false` or `null`, because a spreadsheet would change it. */
export const guardJson = (json: string) => (/^["[{]/.test(json) ? json : `'${json}`);

/** Undoes `guardDigits` and `guardJson`. A number or JSON never begins with an apostrophe of its own. */
export const removeApostrophe = (text: string) => (text.startsWith("'") ? text.slice(1) : text);

/** Matches leading zeros, exponents, 16 digits or more, decimals that end with 0, and dates. */
const CHANGED_TEXT =
  /^(?:0\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?e[+-]?\d+|\d{16,}|\d+[.,]\d*0|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?)$/i;

/** Whether a spreadsheet reads a text in CSV as a number or a date, and so changes it. */
export const isChangedBySpreadsheets = (text: string) => CHANGED_TEXT.test(text);
