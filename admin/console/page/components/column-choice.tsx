import { useState } from 'preact/hooks';
import type { TableColumn } from '../../api.ts';
import { keep, readKept } from '../kept.ts';

const STAY = ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'Client'];

/** The columns of a table without those that a person has hidden, and the control that hides them. The browser keeps the choice. */
export const useColumnChoice = (table: string, all: readonly TableColumn[], isOffered = false) => {
  const key = `hidden columns of ${table}`;
  const [hidden, setHidden] = useState(() => readKept<string[]>(key) ?? []);
  if (!isOffered) return { columns: all, choice: null };
  const toggle = (name: string) => {
    const names = hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name];
    setHidden(names);
    keep(key, names);
  };
  const offered = all.filter(({ name }) => !STAY.includes(name));
  const columns = all.filter((column) => !offered.includes(column) || !hidden.includes(column.name));
  const count = all.length - columns.length;
  const choice = (
    <details class="columns">
      <summary class="small">Columns{count > 0 && ` (${count} hidden)`}</summary>
      <fieldset class="flow">
        <legend class="hidden">Columns to show</legend>
        {offered.map(({ name, title }) => (
          <label key={name}>
            <input type="checkbox" checked={!hidden.includes(name)} onChange={() => toggle(name)} /> {title}
          </label>
        ))}
      </fieldset>
    </details>
  );
  return { columns, choice };
};
