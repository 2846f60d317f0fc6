/** Texts, quoted names and comments, in which a colon begins no parameter. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--.*$|\/\*[\s\S]*?\*\//gm;

/** The names of the parameters of a query, such as `days` for `:days`. */
export const parametersOf = (sql: string) =>
  [...new Set(sql.replaceAll(QUOTED, ' ').match(/(?<!:):[a-z_]\w*/gi))].map((name) => name.slice(1));

/** What is written like a number is a number. */
export const toParameterValue = (text: string) => (String(Number(text)) === text ? Number(text) : text);
