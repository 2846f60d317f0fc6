import { useState } from 'preact/hooks';
import type { TableColumn } from '../../api.ts';

const STAY = ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'Client'];

/** The columns of a table without those that a person has hidden, and the control that hides them. The browser keeps the choice. */
export const useColumnChoice = (table: string, all: readonly TableColumn[], isOffered = false) => {
  const key = `hidden columns of ${table}`;
  const [hidden, setHidden] = useState(() => readNames(key));
  if (!isOffered) return { columns: all, choice: null };
  const toggle = (name: string) => {
    const names = hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name];
    setHidden(names);
    try {
      localStorage.setItem(key, JSON.stringify(names));
    } catch {
      // The browser keeps nothing, so the choice lasts until the page is closed.
    }
  };
  const offered = all.filter(({ name }) => !STAY.includes(name));
  const columns = all.filter((column) => !offered.includes(column) || !hidden.includes(column.name));
  return { columns, choice: <ColumnChoice {...{ offered, hidden, toggle }} /> };
};

const readNames = (key: string): string[] => {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
};

type Props = {
  offered: readonly TableColumn[];
  hidden: readonly string[];
  toggle: (name: string) => void;
};

const ColumnChoice = ({ offered, hidden, toggle }: Props) => {
  const count = offered.filter(({ name }) => hidden.includes(name)).length;
  return (
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
};
