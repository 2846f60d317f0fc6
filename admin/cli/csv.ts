/** Begins a file for Excel, which else takes UTF-8 for the machine's own code page. */
export const BYTE_ORDER_MARK = '\uFEFF';

const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;
const quoted = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line as RFC 4180 has it. */
export const csvLine = (cells: readonly string[], separator: string) =>
  `${cells.map(quoted).join(separator)}\r\n`;
