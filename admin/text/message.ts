/** What a person can do next. A command line names a command or an option for it, and the console a control of its page. */
type Step = { code: StepCode; of: string };
type StepCode =
  | 'seeClients'
  | 'seeClient'
  | 'addClient'
  | 'unlockClient'
  | 'setClient'
  | 'replacePassword'
  | 'share'
  | 'chooseSign'
  | 'sign';

export type StepWords = Record<StepCode, (of: string) => string>;

/** A text whose steps each edge puts into its own words. */
export type Message = string | { parts: readonly (string | Step)[] };

/** `of` is the client, the attribute or the sign that the step is about. */
export const step = (code: StepCode, of = ''): Step => ({ code, of });

/** Begins a template with steps or messages in it. */
export const message = (
  texts: TemplateStringsArray,
  ...values: readonly (Message | Step | number)[]
): Message => ({
  parts: texts.flatMap((text, index) => [text, ...partsOf(values[index] ?? '')]),
});

export const joinMessages = (messages: readonly Message[], separator: string): Message => ({
  parts: messages.flatMap((message, index) => [...(index > 0 ? [separator] : []), ...partsOf(message)]),
});

const partsOf = (value: Message | Step | number) => {
  if (typeof value !== 'object') return [String(value)];
  return 'parts' in value ? value.parts : [value];
};

/** Without words, a step is its code. */
export const toText = (message: Message, words?: StepWords) =>
  partsOf(message)
    .map((part) => (typeof part === 'string' ? part : (words?.[part.code](part.of) ?? part.code)))
    .join('');
