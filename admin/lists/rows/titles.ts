/** How the values of a column are read, as the end of its title says. */
export type ValueKind = 'text' | 'number' | 'json';

export type HeaderColumn = { title: string; name: string; kind: ValueKind };

const KIND_ENDING = /^(.*):\s*(number|json)\s*$/is;

export const toColumn = (title: string): HeaderColumn => {
  const [, name = title, kind] = KIND_ENDING.exec(title) ?? [];
  const ending = kind?.toLowerCase();
  return { title, name, kind: ending === 'number' || ending === 'json' ? ending : 'text' };
};

/** A name that already ends in `:number` or `:json` gets a second ending. */
export const toTitle = (name: string, kind: ValueKind) => {
  if (kind !== 'text') return `${name}:${kind}`;
  return KIND_ENDING.test(name) ? `${name}:json` : name;
};
