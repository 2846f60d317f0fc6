import { useReducer, useState } from 'preact/hooks';
import { type ListName, listNames, tables } from '../../../../../shared/tables.ts';
import { joinFirstNames } from '../../../../text/words.ts';
import type { TableCount, WriteResult } from '../../../api.ts';
import { Field, Notice } from '../../components/controls.tsx';
import { SearchField } from '../../components/filters.tsx';
import { countOf } from '../../format.ts';
import { hrefTo, useRoute } from '../../route.ts';
import { get, isReadOnly, pathTo } from '../../source.ts';
import { useWork } from '../../use-response.ts';
import { useStock } from '../../use-stock.ts';
import { type ChosenFile, dropInstead, endings, fromFile, pickInstead } from './chosen-file.ts';
import { addRow, draftOf, undecidedIn } from './draft.ts';
import { EditableTable } from './editable-table.tsx';
import { PastList } from './past-list.tsx';
import { Review } from './review.tsx';

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
  const identifierName = tables[list].partitionKey;
  const command = commandOf(list);
  const { refresh } = useStock();
  const [openReview, setOpenReview] = useState<{ file: ChosenFile | undefined }>();
  const { result, failure, run } = useWork<string | undefined>();
  const message = failure ?? result;
  const [, redraw] = useReducer<number, void>((edits) => edits + 1, 0);
  const draft = draftOf(command);
  const undecided = undecidedIn(draft);
  const add = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get('identifier')).trim();
    event.currentTarget.reset();
    run(async () => {
      const { count } = await get<TableCount>(pathTo(['tables', command, 'count'], { id }));
      return addRow(draft, id, count > 0);
    });
  };
  const forgetWritten = ({ conflicts }: WriteResult) => {
    const isKept = (identifier: string) => openReview?.file || conflicts.includes(identifier);
    for (const identifier of draft.keys()) if (!isKept(identifier)) draft.delete(identifier);
    refresh();
  };
  const importFile = (file: ChosenFile | undefined) => file && setOpenReview({ file });
  const discard = (identifier: string) => {
    draft.delete(identifier);
    redraw();
    // The pressed button disappears.
    document.querySelector<HTMLElement>('.pending summary')?.focus();
  };
  return (
    <>
      <div class="flow bar">
        <SearchField placeholder={`${identifierName} or an attribute`} />
        {!isReadOnly && (
          <>
            <form class="flow bar" onSubmit={add}>
              <Field label={`${identifierName} of a new row`}>
                <input name="identifier" required pattern=".*\S.*" autocomplete="off" size={12} />
              </Field>
              <button type="submit">Add a row</button>
            </form>
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
      {message !== undefined && <Notice>{message}</Notice>}
      <EditableTable table={command} title={titleOf(list)} {...{ identifierName, draft }} onEdit={redraw} />
      {draft.size > 0 && (
        <section class="flow bar card pending" aria-label="Changes that are not written yet">
          <p role="status">
            Not written yet: changes to {countOf(draft.size, 'row')}
            {undecided.length > 0 && `. Choose which number is meant: ${joinFirstNames(undecided)}`}
          </p>
          <details>
            <summary>Which rows?</summary>
            <ul class="findings">
              {[...draft.values()].map(({ identifier, kind }) => (
                <li key={identifier}>
                  <span class="mark">{kind}</span>
                  <a href={hrefTo('lists', [command], { search: identifier })}>{identifier}</a>
                  <button
                    type="button"
                    class="plain"
                    aria-label={`Discard ${identifier}`}
                    onClick={() => discard(identifier)}
                  >
                    Discard
                  </button>
                </li>
              ))}
            </ul>
          </details>
          <button
            type="button"
            class="primary"
            disabled={undecided.length > 0}
            onClick={() => setOpenReview({ file: undefined })}
          >
            Review
          </button>
        </section>
      )}
      {openReview && (
        <Review
          {...{ command, identifierName, draft, ...openReview }}
          onWritten={forgetWritten}
          onClose={() => setOpenReview(undefined)}
        />
      )}
    </>
  );
};
