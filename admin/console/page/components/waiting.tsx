import { Notice } from './controls.tsx';

type Props = { answer: unknown; failure: string | undefined; refresh: () => void };

/** What is shown until an answer is there, or if it could not be read again. */
export const Waiting = ({ answer, failure, refresh }: Props) => {
  if (failure === undefined) return answer === undefined ? <p role="status">Reading…</p> : null;
  return (
    <Notice kind="error">
      {failure}{' '}
      <button type="button" class="plain" onClick={refresh}>
        Try again
      </button>
    </Notice>
  );
};
