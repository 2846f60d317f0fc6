/** Columns to the right, and rows down. */
const moves: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

type Field = HTMLTextAreaElement;

/** All of the text is selected, as after a move. What is typed or pasted replaces it. */
export const isWhole = ({ selectionStart, selectionEnd, value }: Field) =>
  selectionStart === 0 && selectionEnd === value.length;

/** Within a text, an arrow moves the cursor up to the end of the text, or to its first or last line. */
const leavesText = (field: Field, [right, down]: readonly [number, number]) => {
  const { selectionStart, selectionEnd, value } = field;
  if (isWhole(field)) return true;
  if (selectionStart !== selectionEnd) return false;
  const passed = right + down < 0 ? value.slice(0, selectionStart) : value.slice(selectionStart);
  return right === 0 ? !passed.includes('\n') : passed === '';
};

/** The next cell in a direction that can be edited. */
const nextField = (field: Field, [right, down]: readonly [number, number]) => {
  let cell = field.closest<HTMLTableCellElement>('td, th');
  while (cell) {
    const row = cell.closest('tr');
    const rows = row?.closest('tbody')?.rows;
    cell = rows?.[(row?.sectionRowIndex ?? 0) + down]?.cells[cell.cellIndex + right] ?? null;
    const found = cell?.querySelector<Field>('textarea.cell');
    if (found) return found;
  }
  return undefined;
};

/** Enter and the arrows move as in a spreadsheet. Returns whether they did. */
export const moveField = ({ key, shiftKey, ctrlKey, altKey, metaKey, currentTarget }: MoveEvent) => {
  const isEnter = key === 'Enter';
  const move = isEnter ? ([0, shiftKey ? -1 : 1] as const) : moves[key];
  if (!move || ctrlKey || altKey || metaKey || (shiftKey && !isEnter)) return false;
  if (!isEnter && !leavesText(currentTarget, move)) return false;
  nextField(currentTarget, move)?.focus();
  return true;
};

type MoveEvent = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'> & {
  currentTarget: Field;
};
