import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListColumn } from '../../api.ts';
import { Dialog, Notice } from '../components/controls.tsx';
import type { Source } from './lists-review.tsx';

/** A file is dropped anywhere on the page, or chosen with the button. */
export const FileDrop = ({ onFile }: { onFile: (source: Source) => void }) => {
  const [isOver, setOver] = useState(false);
  const [failure, setFailure] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const read = async ([file, ...others]: Iterable<File>) => {
    if (!file) return;
    if (others.length > 0) return setFailure('Drop one file at a time.');
    try {
      // The file may change before it is compared again.
      const content = new Blob([await file.arrayBuffer()]);
      setFailure(undefined);
      onFile({ file: file.name, content });
    } catch {
      setFailure(`${file.name} cannot be read. Is it a folder, or was it moved?`);
    }
  };
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      event.preventDefault();
      const isLeaving = event.type === 'dragleave' && event.relatedTarget === null;
      setOver(event.type !== 'drop' && !isLeaving);
      if (event.type === 'drop') void read(event.dataTransfer?.files ?? []);
    };
    const types = ['dragover', 'dragleave', 'drop'] as const;
    for (const type of types) addEventListener(type, onDrag);
    return () => {
      for (const type of types) removeEventListener(type, onDrag);
    };
  });
  return (
    <>
      <button type="button" class="as-of" onClick={() => input.current?.click()}>
        Import a file…
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.json,.xlsx"
        onChange={async ({ currentTarget }) => {
          await read(currentTarget.files ?? []);
          currentTarget.value = '';
        }}
      />
      {isOver && <p class="drop">Drop the file to see what it would change.</p>}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
    </>
  );
};

type ColumnProps = { onClose: () => void; onAdd: (column: ListColumn) => void };

export const NewColumn = ({ onClose, onAdd }: ColumnProps) => {
  const [column, setColumn] = useState<ListColumn>({ name: '', kind: 'text' });
  return (
    <Dialog title="Add a column" onClose={onClose}>
      <form method="dialog" onSubmit={() => onAdd(column)}>
        <label class="field">
          <span class="soft small">Name</span>
          <input
            required
            value={column.name}
            onInput={({ currentTarget }) => setColumn({ ...column, name: currentTarget.value.trim() })}
          />
        </label>
        <label class="compare">
          <input
            type="checkbox"
            onChange={({ currentTarget }) =>
              setColumn({ ...column, kind: currentTarget.checked ? 'number' : 'text' })
            }
          />
          Its cells hold numbers
        </label>
        <p class="soft small">
          To remove a column, import a file without it, and make the list exactly the file.
        </p>
        <p class="chips">
          <button type="submit" class="primary">
            Add the column
          </button>
          <button type="button" class="as-of" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
};
