/** `\u200b`. */
export const escapeCharacter = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const toVisible = (text: string) =>
  text.replaceAll(
    /[\p{Cc}\p{Cs}\u00AD\u061C\u200B-\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/gu,
    escapeCharacter,
  );

const MAX_QUOTED_CHARACTERS = 80;

export const quote = (text: string) =>
  `"${toVisible(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text)}"`;
