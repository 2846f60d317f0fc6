import { type ListName, listNames, tables } from '../../shared/tables.ts';

/** A finding concerns a client, whose name has no colon, or a list. */
export const scopeOf = (list: ListName) => `list:${list}` as const;
export const listScopes = listNames.map(scopeOf);
export const listOf = (scope: string) => listNames.find((list) => scope === scopeOf(list));

/** The list of a command, such as `codes`. */
export const listOfCommand = (command: string | undefined) =>
  listNames.find((list) => tables[list].list.command === command);

/** `The list of material codes`, or what people call the client. */
export const nameOfScope = (scope: string, nameOf: (client: string) => string) => {
  const list = listOf(scope);
  return list ? `The list of ${tables[list].list.title}` : nameOf(scope);
};
