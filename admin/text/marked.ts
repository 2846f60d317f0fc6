/** A text with marked letters. The `name` of a letter tells it from a letter that looks the same. */
export type Marked = readonly (string | { letter: string; name: string })[];

export const withoutMarks = (text: Marked) =>
  text.map((part) => (typeof part === 'string' ? part : part.letter)).join('');
