const KEYWORDS = new Set(['filter', 'stats', 'count', 'sum', 'max', 'by', 'in']);

/** The fields that a query of Logs Insights reads from a log. It sorts by fields that it makes itself. */
export const fieldsOf = (query: string) =>
  query
    .split('\n| ')
    .filter((command) => !command.startsWith('sort '))
    .flatMap((command) => command.replaceAll(/"[^"]*"|\bas \w+/g, '').match(/[A-Za-z]\w*/g) ?? [])
    .filter((word) => !KEYWORDS.has(word));

/** The lines that pass the filters of a query of Logs Insights. */
export const passFilters = <Line extends Record<string, unknown>>(query: string, lines: readonly Line[]) => {
  const filters = query.split('\n| ').filter((command) => command.startsWith('filter '));
  return filters.reduce<readonly Line[]>((left, filter) => {
    const [, field = '', values = ''] =
      /^filter (\w+) (?:= (?="[^"]*"$)|in (?=\[.*\]$))(.+)$/.exec(filter) ?? [];
    const wanted: unknown[] = [JSON.parse(values)].flat();
    return left.filter((line) => wanted.includes(line[field]));
  }, lines);
};
