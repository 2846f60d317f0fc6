import { findChange } from '../../../../admin/lists/history/find-change.ts';
import { planUndo } from '../../../../admin/lists/history/plan-undo.ts';
import type { writeChanges } from '../../../../admin/lists/history/write-changes.ts';
import { type ListInput, planChanges } from '../../../../admin/lists/plan/plan-changes.ts';
import type { ChangeOrigin, RowChange } from '../../../../admin/lists/plan/row-change.ts';
import { toChanges } from '../../../../admin/restore/prepare-restore.ts';
import type { ListName } from '../../../../shared/tables.ts';
import { isSame, type Rows } from './model-rows.ts';

export const CODES = ['A', 'B', 'C', '"D'];

/** The n-th call of a write, and what happens to it. After `kill`, no later call arrives either. */
export type MadeFault = { at: number; kind: 'kill' | 'deny' | 'loseResponse' };

export type Step = {
  act: keyof typeof planners | 'together' | 'outside';
  list: ListName;
  codes: readonly string[];
  attribute: 'X' | 'we"ird.x';
  value: number;
  /** Chooses an earlier state to restore, or a change to undo: the newest is 0. */
  pick: number;
  minutes: number;
  fault: MadeFault | undefined;
  /** Whether the stock reads the history after this step. */
  loads: boolean;
};

/** A change as the model knows it, and the identifiers of the rows that it has written. */
export type Made = { id: string; list: ListName; changes: readonly RowChange[]; written: Set<string> };

export type Plan = { origin: ChangeOrigin; changes: readonly RowChange[]; undone?: Made };

type Planning = {
  deployment: Parameters<typeof writeChanges>[2]['deployment'];
  stored: Rows;
  /** Earlier states of the list. */
  states: readonly Rows[];
  /** Earlier changes of the list. */
  made: readonly Made[];
};

type Planner = (step: Step, planning: Planning) => Promise<Plan>;

const rowsOf = ({ codes, attribute, value }: Step, stored: Rows): ListInput['rows'] =>
  new Map(
    codes.map((code, index) => {
      const isCleared = value === 3 && stored.has(code);
      const given = index % 2 ? { N: `${value}2345678901234567890.5` } : { SS: [`${value}`, 'y'] };
      const attributes = isCleared ? {} : { [attribute]: given };
      return [code, { unit: 'edit', at: code, attributes, cleared: isCleared ? [attribute] : [] }];
    }),
  );

const planners = {
  import: async (step, { stored }) => {
    const { changes } = await planChanges(step.list, stored, { rows: rowsOf(step, stored) });
    return { origin: { kind: 'import', source: 'codes.csv' }, changes };
  },
  replace: async (step, { stored }) => {
    const { changes } = await planChanges(step.list, stored, { rows: rowsOf(step, stored) }, true);
    return { origin: { kind: 'import', source: 'codes.csv' }, changes };
  },
  edit: async (step, { stored }) => {
    const [first = '', ...others] = step.codes.filter((code) => stored.has(code));
    const removed = new Set(others.length > 0 ? [first] : []);
    const rows = new Map([...rowsOf(step, stored)].filter(([code]) => !removed.has(code)));
    const { changes } = await planChanges(step.list, stored, { rows, removed });
    return { origin: { kind: 'edit' }, changes };
  },
  rename: async (step, { stored }) => {
    const free = step.codes.filter((code) => !stored.has(code));
    const olds = CODES.filter((code) => stored.has(code) && !step.codes.includes(code));
    const renamed = new Map(free.flatMap((code, index) => (olds[index] ? [[code, olds[index]]] : [])));
    const rows = new Map([...rowsOf(step, stored)].filter(([code]) => renamed.has(code)));
    const { changes } = await planChanges(step.list, stored, { rows, renamed });
    return { origin: { kind: 'edit' }, changes };
  },
  remove: async ({ list, codes }, { stored }) => {
    const removed = new Set(codes.filter((code) => stored.has(code)));
    const { changes } = await planChanges(list, stored, { rows: new Map(), removed });
    return { origin: { kind: 'remove' }, changes };
  },
  restore: async ({ list, pick }, { stored, states }) => {
    const pairs = [...(states.at(-1 - (pick % states.length)) ?? [])].map(([identifier, item]) => {
      return { item, existing: stored.get(identifier), overwrites: true };
    });
    const found = pairs.filter(({ item, existing }) => !isSame(item, existing));
    return { origin: { kind: 'restore', source: 'codes-of-monday' }, changes: toChanges(list, found) };
  },
  undo: async ({ list, pick }, { deployment, stored, made }) => {
    const undone = made.at(-1 - (pick % made.length));
    // One that may still run, or has expired, is refused.
    const found = undone && (await findChange(deployment, list, undone.id, stored).catch(() => undefined));
    if (!undone || !found) return { origin: { kind: 'undo' }, changes: [] };
    const { changes } = planUndo(list, stored, found.changes);
    return { origin: { kind: 'undo', undoes: undone.id }, changes, undone };
  },
} as const satisfies Record<string, Planner>;

export const planStep: Planner = (step, planning) =>
  planners[step.act === 'together' || step.act === 'outside' ? 'edit' : step.act](step, planning);
