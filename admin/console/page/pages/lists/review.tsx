import { useEffect, useState } from 'preact/hooks';
import { withoutMarks } from '../../../../text/marked.ts';
import { joinFirstNames } from '../../../../text/words.ts';
import type { PlanReview, WriteResult } from '../../../api.ts';
import { Choice, Dialog, Notice } from '../../components/controls.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { countOf, decimalSign } from '../../format.ts';
import { post } from '../../source.ts';
import { useWork } from '../../use-response.ts';
import type { ChosenFile } from './chosen-file.ts';
import { clearDraft, toEdits } from './draft.ts';
import { columnsOf, describeState, totalOf, WarningNotice, WrongRows } from './review-parts.tsx';
import type { Editing } from './use-editing.ts';

type Props = {
  command: string;
  identifierName: string;
  editing?: Editing | undefined;
  /** Without a file and a change to undo, the draft is reviewed. */
  file?: ChosenFile | undefined;
  undo?: Undo | undefined;
  onWritten: (written: WriteResult) => void;
  onClose: () => void;
};

/** A change to undo, and the title of its review. */
export type Undo = { change: string; title: string };

/** For a file, an empty decimal sign means to detect it. */
const initialOptions = { replace: '', decimal: '' };

/** Asks the console what a file, an undo or the draft would change. Messages about a draft show the browser's decimal sign. */
const askForPlan = async ({ command, editing, file, undo }: Props, options: typeof initialOptions) => {
  const path = `lists/${command}`;
  if (undo) return post<PlanReview>(`${path}/undo`, { change: undo.change });
  const values = Object.entries(file ? { ...options, file: file.name } : { decimal: decimalSign });
  const query = new URLSearchParams(values.filter(([, value]) => value !== ''));
  return post<PlanReview>(
    `${path}/review?${query}`,
    file ? await file.read() : editing && toEdits(editing.draft),
  );
};

const titleOf = (file: ChosenFile | undefined, undo: Undo | undefined) =>
  undo?.title ?? (file ? `Import ${file.name}` : 'Review the changes');

const subjectOf = (file: ChosenFile | undefined, undo: Undo | undefined) => {
  if (undo) return 'the undo';
  return file ? 'this import' : 'these changes';
};

type Result = { plan?: PlanReview; written?: WriteResult };

/** Shows what a write would change, and afterwards what it has changed. */
export const Review = (props: Props) => {
  const { identifierName, onWritten, onClose } = props;
  const [undo, setUndo] = useState(props.undo);
  const { file, editing } = undo ? {} : props;
  const [options, setOptions] = useState(initialOptions);
  const { result: { plan, written } = {}, failure, isBusy, run } = useWork<Result>();
  const makePlan = async () => ({ plan: await askForPlan({ ...props, file, editing, undo }, options) });
  const write = async (id: string, acceptsWarnings: boolean) => {
    const written = await post<WriteResult>(`reviews/${id}`, { acceptsWarnings });
    onWritten(written);
    return { written };
  };
  useEffect(() => void run(makePlan), [options, undo]);
  const toWrite = totalOf(plan) > 0 ? plan : undefined;
  const conflicts = written?.conflicts ?? [];
  return (
    <Dialog title={titleOf(file, undo)} isBusy={isBusy} onClose={onClose}>
      {file && (
        <fieldset class="flow" disabled={isBusy}>
          <Choice
            label="Rows and attributes that are not in the file"
            noValue="Stay"
            values={['true']}
            nameOf={() => 'Are removed'}
            value={options.replace}
            onChange={(replace) => setOptions({ ...options, replace })}
          />
          <Choice
            label="Decimal sign"
            noValue="Detect from the file"
            values={['.', ',']}
            value={options.decimal}
            onChange={(decimal) => setOptions({ ...options, decimal })}
          />
        </fieldset>
      )}
      <p role="status">{describeState(isBusy, plan, written)}</p>
      {failure !== undefined && (
        <>
          <Notice kind="error">{failure}</Notice>
          <WrongRows editing={editing} />
        </>
      )}
      {plan?.notices.map((notice) => (
        <Notice key={notice}>{notice}</Notice>
      ))}
      {plan?.warnings.map((warning) => (
        <WarningNotice key={withoutMarks(warning)} warning={warning} />
      ))}
      {conflicts.length > 0 && (
        <Notice>
          Somebody else has changed {joinFirstNames(conflicts)} meanwhile. Their values stay, and your changes
          to {countOf(conflicts.length, 'row')} are not written.
        </Notice>
      )}
      {toWrite && (
        <DataTable caption="The first changes" columns={columnsOf(identifierName)} rows={toWrite.changes} />
      )}
      <form method="dialog">
        <fieldset class="flow chips" disabled={isBusy}>
          {toWrite && (
            <Confirmation
              key={toWrite.id}
              plan={toWrite}
              onWrite={(acceptsWarnings) => run(() => write(toWrite.id, acceptsWarnings))}
            />
          )}
          <UndoButton change={written?.change} subject={subjectOf(file, undo)} onUndo={setUndo} />
          {(failure !== undefined || conflicts.length > 0) && (
            <button type="button" onClick={() => run(makePlan)}>
              Review again
            </button>
          )}
          {editing && editing.draft.rows.size > 0 && (
            <button type="submit" onClick={() => clearDraft(editing.draft)}>
              Discard all changes
            </button>
          )}
          <button type="submit">Close</button>
        </fieldset>
      </form>
    </Dialog>
  );
};

type UndoProps = { change: string | undefined; subject: string; onUndo: (undo: Undo) => void };

/** Leads from what was written to the review that takes it back. */
const UndoButton = ({ change, subject, onUndo }: UndoProps) =>
  change !== undefined && (
    <button type="button" onClick={() => onUndo({ change, title: `Undo ${subject}` })}>
      Undo {subject}
    </button>
  );

type ConfirmationProps = { plan: PlanReview; onWrite: (acceptsWarnings: boolean) => void };

/** Warnings are ticked before a write. */
const Confirmation = ({ plan, onWrite }: ConfirmationProps) => {
  const [hasRead, setHasRead] = useState(false);
  const { length } = plan.warnings;
  return (
    <>
      {length > 0 && (
        <label>
          <input type="checkbox" onChange={({ currentTarget }) => setHasRead(currentTarget.checked)} /> I have
          read {length === 1 ? 'the warning' : 'all warnings'}
        </label>
      )}
      <button
        type="button"
        class="primary"
        disabled={length > 0 && !hasRead}
        onClick={() => onWrite(hasRead)}
      >
        Write {countOf(totalOf(plan), 'row')}
      </button>
    </>
  );
};
