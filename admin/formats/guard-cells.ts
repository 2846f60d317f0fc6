/** After one of these signs, a spreadsheet reads the rest of a CSV cell as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/** Puts an apostrophe before a text that a spreadsheet would run, and before one that looks guarded already. */
export const guardCsvText = (text: string) => (FORMULA.test(text) ? `'${text}` : text);

/** In a workbook, a text is never run. Only a text that looks guarded needs an apostrophe more. */
export const guardWorkbookText = (text: string) => (GUARDED.test(text) ? `'${text}` : text);

/** Undoes both. */
export const removeGuard = (text: string) => (GUARDED.test(text) ? text.slice(1) : text);

const MOST_DIGITS = 15;

/** Whether a spreadsheet keeps all digits of a number. */
export const keepsDigits = (digits: string) =>
  digits
    .replace(/e.*/i, '')
    .replace(/^-?[0.]*|\./g, '')
    .replace(/0+$/, '').length <= MOST_DIGITS;

/** Puts an apostrophe before a number that would lose digits. */
export const guardDigits = (digits: string) => (keepsDigits(digits) ? digits : `'${digits}`);

/** Puts an apostrophe before a number, `true`, `false` or `null`: a spreadsheet would write it in its own language. */
export const guardJson = (json: string) => (/^["[{]/.test(json) ? json : `'${json}`);

/** A number or JSON never begins with an apostrophe. */
export const removeApostrophe = (text: string) => (text.startsWith("'") ? text.slice(1) : text);

/** Leading zeros, exponents, 16 digits, a last digit 0 after the point, and dates. */
const CHANGED =
  /^(?:0\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?e[+-]?\d+|\d{16,}|\d+[.,]\d*0|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?)$/i;

/** Whether a spreadsheet reads a text in CSV as a number or a date, and so changes it. */
export const isChangedBySpreadsheets = (text: string) => CHANGED.test(text);
