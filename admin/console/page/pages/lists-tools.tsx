import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListColumn } from '../../api.ts';
import { Dialog, Notice } from '../components/controls.tsx';
import type { Source } from './lists-review.tsx';

type DropProps = { onFile: (source: Source) => void };

/** A file is dropped anywhere on the page, or chosen with the button. */
export const FileDrop = ({ onFile }: DropProps) => {
  const [isOver, setOver] = useState(false);
  const [failure, setFailure] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const read = async (files: FileList | null | undefined) => {
    const [file, ...others] = files ?? [];
    if (!file) return;
    try {
      if (others.length > 0) throw new Error('Drop one file at a time.');
      // The file may change before it is compared again.
      const content = new Blob([await file.arrayBuffer()]);
      setFailure(undefined);
      onFile({ file: file.name, content });
    } catch (error) {
      const isSeveral = others.length > 0 && error instanceof Error;
      setFailure(isSeveral ? error.message : `${file.name} cannot be read. Is it a folder, or was it moved?`);
    }
  };
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      event.preventDefault();
      setOver(event.dataTransfer?.types.includes('Files') ?? false);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent) =>
      setOver((isStill) => isStill && relatedTarget !== null);
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void read(event.dataTransfer?.files);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onDragLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onDragLeave);
      removeEventListener('drop', onDrop);
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
        aria-label="File to import"
        onChange={({ currentTarget }) => {
          void read(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      {isOver && <p class="drop">Drop the file to see what it would change. Nothing is written yet.</p>}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
    </>
  );
};

type ColumnProps = { onClose: () => void; onAdd: (column: ListColumn) => void };

export const NewColumn = ({ onClose, onAdd }: ColumnProps) => {
  const [name, setName] = useState('');
  const [isNumber, setNumber] = useState(false);
  return (
    <Dialog title="Add a column" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onAdd({ name, kind: isNumber ? 'number' : 'text' });
        }}
      >
        <label class="field">
          <span class="soft small">Name</span>
          <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isNumber}
            onChange={({ currentTarget }) => setNumber(currentTarget.checked)}
          />
          Its cells hold numbers
        </label>
        <p class="soft small">
          The column is in the list once a row has a value in it. To remove a column, import a file without
          it, and make the list exactly the file.
        </p>
        <p class="buttons">
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
