import { Field } from '../../components/controls.tsx';
import { takeBlock } from './block.ts';
import { removeColumn } from './draft.ts';
import type { Editing } from './use-editing.ts';

type FormEvent = SubmitEvent & { currentTarget: HTMLFormElement };

/** Reads the values of a form, and empties it. */
const take = (event: FormEvent) => {
  event.preventDefault();
  const values = new FormData(event.currentTarget);
  event.currentTarget.reset();
  return (name: string) => String(values.get(name)).trim();
};

/** The forms for a new row, for rows of a sheet, and for a new column. */
export const NewParts = ({
  editing: { key, draft, addRow, addColumn, onRows, onEdit },
}: {
  editing: Editing;
}) => (
  <>
    <form class="flow bar" onSubmit={(event) => addRow(take(event)('identifier'))}>
      <Field label={`${key} of a new row`}>
        <input
          name="identifier"
          required
          pattern=".*\S.*"
          autocomplete="off"
          size={12}
          onPaste={takeBlock(onRows)}
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
      {[...draft.columns.keys()].map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => {
            removeColumn(draft, name);
            onEdit();
          }}
        >
          Remove the new column {name}
        </button>
      ))}
    </form>
  </>
);
