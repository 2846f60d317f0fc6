import { useEffect, useRef, useState } from 'preact/hooks';
import { type ListName, listNames, tables } from '../../../../../shared/tables.ts';
import type { WriteResult } from '../../../api.ts';
import { Field, Notice } from '../../components/controls.tsx';
import { SearchField } from '../../components/filters.tsx';
import { changeAddress, hrefTo, useRoute } from '../../route.ts';
import { isReadOnly } from '../../source.ts';
import { useStock } from '../../use-stock.ts';
import { type ChosenFile, dropInstead, endings, fromFile, pickInstead } from './chosen-file.ts';
import { forgetRows } from './draft.ts';
import { EditableTable } from './editable-table.tsx';
import { NewParts } from './new-parts.tsx';
import { PastList } from './past-list.tsx';
import { PendingChanges } from './pending-changes.tsx';
import { Review } from './review.tsx';
import { useEditing } from './use-editing.ts';

const titleOf = (list: ListName) => tables[list].list.title.replace(/^./, (letter) => letter.toUpperCase());
const commandOf = (list: ListName) => tables[list].list.command;

export const ListsPage = () => {
  const { segments, parameters } = useRoute();
  const Shown = parameters.has('at') ? PastList : ListEditor;
  const shown = listNames.find((list) => commandOf(list) === segments[0]) ?? listNames[0];
  return (
    <>
      <nav class="flow chips" aria-label="Lists">
        {listNames.map((list) => (
          <a
            key={list}
            class="chip"
            href={hrefTo('lists', [commandOf(list)])}
            aria-current={list === shown ? 'page' : undefined}
          >
            {titleOf(list)}
          </a>
        ))}
      </nav>
      {shown && <Shown key={shown} list={shown} />}
    </>
  );
};

const ListEditor = ({ list }: { list: ListName }) => {
  const { refresh } = useStock();
  const [openReview, setOpenReview] = useState<{ file: ChosenFile | undefined }>();
  const editing = useEditing(list);
  const { command, key, draft, message, takeBack } = editing;
  const added = useRoute().parameters.get('add');
  const asked = useRef(added);
  useEffect(() => {
    if (added === null || isReadOnly) return;
    changeAddress({ add: undefined });
    editing.addRow(added);
  }, [added]);
  const forgetWritten = ({ conflicts }: WriteResult) => {
    if (!openReview?.file) forgetRows(draft, (name) => conflicts.includes(name));
    refresh();
  };
  const importFile = (file: ChosenFile | undefined) => file && setOpenReview({ file });
  return (
    <>
      <div class="flow bar">
        <SearchField placeholder={`${key} or an attribute`} />
        {!isReadOnly && (
          <>
            <NewParts editing={editing} />
            <Field label="Import a file: choose a file or drop it here (a file may add columns)" isWide>
              <input
                type="file"
                accept={endings}
                onClick={async (event) => importFile(await pickInstead(event))}
                onDrop={async (event) => importFile(await dropInstead(event))}
                onChange={({ currentTarget }) => {
                  for (const file of currentTarget.files ?? []) importFile(fromFile(file));
                  currentTarget.value = '';
                }}
              />
            </Field>
          </>
        )}
      </div>
      {!isReadOnly && <Keys />}
      {message !== undefined && (
        <Notice>
          {message}{' '}
          {takeBack && (
            <button type="button" class="plain" onClick={takeBack}>
              Take the block back
            </button>
          )}
        </Notice>
      )}
      <EditableTable {...{ editing, asked }} />
      <PendingChanges editing={editing} onReview={() => setOpenReview({ file: undefined })} />
      {openReview && (
        <Review
          {...{ command, identifierName: key, ...openReview }}
          editing={openReview.file ? undefined : editing}
          onWritten={forgetWritten}
          onClose={() => setOpenReview(undefined)}
        />
      )}
    </>
  );
};

const Keys = () => (
  <details class="small">
    <summary>Keys, and rows of a spreadsheet</summary>
    <p>
      Enter, Shift+Enter and the arrows move from cell to cell, and what you type replaces the cell. F2 or a
      click sets the cursor into the text, and the arrows leave it at its ends. Alt+Enter starts a line.
      Escape brings the stored text back. Ctrl+S reviews the changes.
    </p>
    <p>
      Copy cells in a spreadsheet and paste them into a cell: they fill it and those to the right and below.
      To add rows, paste them with their codes in the first column into the field for a new row.
    </p>
  </details>
);
