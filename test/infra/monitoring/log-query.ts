const KEYWORDS = new Set(['filter', 'stats', 'count', 'sum', 'max', 'by', 'in']);

/** The fields that a query of Logs Insights reads from a log. It sorts by fields that it makes itself. */
export const fieldsOf = (query: string) =>
  query
    .split('\n| ')
    .filter((command) => !command.startsWith('sort '))
    .flatMap((command) => command.replaceAll(/"[^"]*"|\bas \w+/g, '').match(/[A-Za-z]\w*/g) ?? [])
    .filter((word) => !KEYWORDS.has(word));
