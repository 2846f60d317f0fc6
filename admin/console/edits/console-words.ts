/** A command or an option, and the control of the page that does the same. */
const controls: readonly [RegExp, string][] = [
  [/(?<!The command )`clients (list|show \S+)`/g, 'The page Clients'],
  [/`clients add \S+`/g, '"Add a client"'],
  [/`clients unlock \S+`/g, '"Unlock"'],
  [/`clients set NAME --\S+`/g, 'press "Edit" in the row'],
  [/`clients rotate \S+ --again`|--again/g, '"Replace a lost password"'],
  [/add --share/g, 'choose "Share a slot if none is free"'],
  [/add --decimal (.)/g, 'choose the decimal sign "$1"'],
  [/--decimal (.)/g, '"$1"'],
];

/** Names the controls of the page where a message names commands and options. */
export const inConsoleWords = (message: string) =>
  controls.reduce((text, [command, control]) => text.replaceAll(command, control), message);
