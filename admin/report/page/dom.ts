type Attributes = { [name: string]: string | undefined };
type Child = Node | string;

/** Texts become text nodes, so that nothing in the data is ever read as markup. */
export const el = <TName extends keyof HTMLElementTagNameMap>(
  name: TName,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[TName] => {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
};

export const byId = (id: string) => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no ${id}.`);
  return element;
};

export const inputById = (id: string) => {
  const element = byId(id);
  if (!(element instanceof HTMLInputElement)) throw new Error(`${id} is no field.`);
  return element;
};

/** A name and what it is, for a list of both. */
export const fact = (name: string, ...value: Child[]) =>
  el('div', {}, el('dt', {}, name), el('dd', {}, ...value));
