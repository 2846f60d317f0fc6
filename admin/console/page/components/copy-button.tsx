import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useWork } from '../use-response.ts';
import { Field, Notice } from './controls.tsx';

type Props = {
  text: string;
  label?: string;
  /** What the button says before and after. */
  says?: readonly [string, string];
  isPrimary?: boolean;
  /** What to say if the browser forbids it. */
  failed: string;
  /** Has the text, which is then selected for a person to copy. */
  field?: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  onCopied?: () => void;
};

export const CopyButton = ({
  text,
  label,
  says = ['Copy', 'Copied'],
  isPrimary,
  failed,
  ...props
}: Props) => {
  const { result: copied, failure, run } = useWork<string>();
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {
      props.field?.current?.focus();
      props.field?.current?.select();
      throw new Error(failed);
    });
    props.onCopied?.();
    return text;
  };
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : ''} aria-label={label} onClick={() => run(copy)}>
        {says[copied === text ? 1 : 0]}
      </button>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
    </>
  );
};

/** A text in a field with a button that copies it. */
export const Copyable = ({ label, value }: { label: string; value: string }) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div class="flow bar">
      <Field label={label} isWide>
        <input ref={field} readonly value={value} />
      </Field>
      <CopyButton
        text={value}
        label={`Copy the ${label}`}
        failed={`The ${label} was not copied. It is selected now: press Control and C.`}
        field={field}
      />
    </div>
  );
};
