import { Field } from '../../components/controls.tsx';
import { isBlock } from './block.ts';
import type { Kind } from './draft.ts';

type FormEvent = SubmitEvent & { currentTarget: HTMLFormElement };

/** Reads the values of a form, and empties it. */
const take = (event: FormEvent) => {
  event.preventDefault();
  const values = new FormData(event.currentTarget);
  event.currentTarget.reset();
  return (name: string) => String(values.get(name)).trim();
};

type Props = {
  identifierName: string;
  addRow: (identifier: string) => void;
  addColumn: (name: string, kind: Kind) => void;
  onRows: (text: string) => void;
};

/** The forms for a new row, for rows of a sheet, and for a new column. */
export const NewParts = ({ identifierName, addRow, addColumn, onRows }: Props) => (
  <>
    <form class="flow bar" onSubmit={(event) => addRow(take(event)('identifier'))}>
      <Field label={`${identifierName} of a new row`}>
        <input
          name="identifier"
          required
          pattern=".*\S.*"
          autocomplete="off"
          size={12}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain') ?? '';
            if (!isBlock(text)) return;
            event.preventDefault();
            onRows(text);
          }}
        />
      </Field>
      <button type="submit">Add a row</button>
    </form>
    <form
      class="flow bar"
      onSubmit={(event) => {
        const value = take(event);
        addColumn(value('name'), value('kind') === 'number' ? 'number' : 'text');
      }}
    >
      <Field label="Name of a new column">
        <input name="name" required pattern=".*\S.*" autocomplete="off" size={12} />
      </Field>
      <Field label="Its values">
        <select name="kind">
          <option value="text">Texts</option>
          <option value="number">Numbers</option>
        </select>
      </Field>
      <button type="submit">Add a column</button>
    </form>
  </>
);
