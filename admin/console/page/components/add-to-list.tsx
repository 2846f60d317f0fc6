import { hrefTo } from '../route.ts';
import { isReadOnly } from '../source.ts';

type Props = { command: 'codes' | 'orders'; identifier: string };

/** Begins a row of a list. The grid of the list reviews it like any other row. */
export const AddToList = ({ command, identifier }: Props) =>
  isReadOnly ? null : (
    <a
      class="small"
      href={hrefTo('lists', [command], { at: undefined, add: identifier })}
      aria-label={`Add ${identifier} to the list`}
    >
      Add to the list
    </a>
  );
