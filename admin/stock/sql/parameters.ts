/** Texts, quoted names and comments, in which a colon begins no parameter. Then a parameter, with its name. */
const QUOTED_OR_PARAMETER =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--.*$|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?<!:):([\p{L}_][\p{L}\p{M}\p{N}_]*)/gmu;

/** The names of the parameters of a query, such as `days` for `:days`. */
export const parametersOf = (sql: string) => [
  ...new Set([...sql.matchAll(QUOTED_OR_PARAMETER)].flatMap(([, name]) => name ?? [])),
];

/** SQLite expands a query without values in this way if it has no other form of parameter, such as `?`. */
export const withNulls = (sql: string) =>
  sql.replaceAll(QUOTED_OR_PARAMETER, (part, name?: string) => (name === undefined ? part : 'NULL'));

/** Codes such as 007 are no numbers, and a number with more than 15 digits would be rounded. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const MAX_DIGITS = 15;

/** What is written like a number is a number, as if it stood in the query. */
export const toParameterValue = (text: string) => {
  const isNumber = NUMBER.test(text) && text.replaceAll(/\D/g, '').length <= MAX_DIGITS && text !== '-0';
  if (!isNumber) return text;
  return text.includes('.') ? Number(text) : BigInt(text);
};
