import { hrefTo } from '../route.ts';
import { isReadOnly } from '../source.ts';

type Props = { kind: string; subject: string };

/** Begins a row of a list for an unlisted code or order. The grid of the list reviews it like any other row. */
export const AddToList = ({ kind, subject }: Props) => {
  const [, unlisted] = /^unlisted-(code|order)$/.exec(kind) ?? [];
  if (!unlisted || subject === '' || isReadOnly) return null;
  return (
    <a
      class="small add"
      href={hrefTo('lists', [`${unlisted}s`], { at: undefined, add: subject })}
      aria-label={`Add to the list: ${subject}`}
    >
      Add to the list
    </a>
  );
};
