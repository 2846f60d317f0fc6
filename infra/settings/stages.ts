import { isRecord } from '../../shared/schemas/json.ts';
import type { Fault } from '../../shared/schemas/problem.ts';
import { faultsOf, type Settings, SettingsError, toSettings } from './settings.ts';

const STAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/;

/**
 * The settings of one deployment. The context has them as an object (cdk.json) or as JSON text (`--context`), with the
 * differences of each stage under `stages`. All stages are checked, so that any synthesis finds a fault in production's
 * settings.
 */
export const parseSettings = (context: unknown, stage?: unknown): Settings => {
  const given = typeof context === 'string' ? parseJson(context) : (context ?? {});
  if (!isRecord(given)) return toSettings(given);
  const { stages, ...common } = given;
  if (stages === undefined && !stage) return toSettings(common);

  const settings = settingsByStage(common, stages ?? {});
  return toSettings(settings.get(String(stage)) ?? refuseStage(stage, [...settings.keys()]));
};

/** The settings of each stage, merged with the common ones. Throws if any stage is wrong. */
const settingsByStage = (common: Record<string, unknown>, stages: unknown) => {
  const faults = [...faultsOf(common), ...faultsOfStages(stages)];
  const validStages = isRecord(stages)
    ? Object.entries(stages).filter(([name, stage]) => STAGE_NAME.test(name) && isRecord(stage))
    : [];
  const settings = new Map(validStages.map(([name, stage]) => [name, mergeStage(common, name, stage)]));
  for (const [name, stage] of settings) {
    // A fault in the common settings is listed once.
    const others = faultsOf(stage).filter((fault) => !faults.some((known) => isSame(fault, known)));
    faults.push(...others.map(prefixPointer(`stages/${name}`)));
  }
  faults.push(...faultsOfRepeatedStacks(settings));
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
};

const faultsOfStages = (stages: unknown): Fault[] => {
  if (isRecord(stages)) return Object.entries(stages).flatMap(([name, own]) => faultsOfStage(name, own));
  const detail = 'stages has to be an object with the settings of each stage by its name.';
  return [{ detail, pointer: '#/stages' }];
};

const faultsOfStage = (name: string, own: unknown): Fault[] => {
  const pointer = `#/stages/${encodeURIComponent(name)}`;
  const details = [
    ...(STAGE_NAME.test(name) ? [] : ['The name of a stage takes 1 to 32 letters, digits and "-".']),
    ...(isRecord(own) ? [] : ['A stage is an object with the settings by which it differs.']),
  ];
  return details.map((detail) => ({ detail, pointer }));
};

/** Every stage has its own stack, with the stage in its name unless it sets another name. */
const mergeStage = (common: Record<string, unknown>, name: string, own: unknown) =>
  merge({ ...common, stackName: `${stackNameOf(common)}-${name}` }, own);

const stackNameOf = ({ stackName }: Record<string, unknown>) =>
  typeof stackName === 'string' ? stackName : toSettings({}).stackName;

/** Merges field by field, so that a stage that sets one field of alarms keeps the others. */
const merge = (common: unknown, own: unknown): unknown => {
  if (!isRecord(common) || !isRecord(own)) return own;
  const fields = Object.entries(own).map(([name, value]) => [name, merge(common[name], value)]);
  return { ...common, ...Object.fromEntries(fields) };
};

const faultsOfRepeatedStacks = (settings: ReadonlyMap<string, unknown>): Fault[] => {
  const seen = new Set<unknown>();
  return [...settings].flatMap(([name, stage]) => {
    const { stackName } = Object(stage);
    const isRepeated = seen.has(stackName);
    seen.add(stackName);
    const detail = `Another stage has the stack name ${stackName}; one would be deployed over the other.`;
    return isRepeated ? [{ detail, pointer: `#/stages/${name}/stackName` }] : [];
  });
};

/** A command without its stage must not create another deployment or read the wrong one. */
const refuseStage = (stage: unknown, names: string[]) => {
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'there are none';
  const detail = stage
    ? `No stage is named ${String(stage)}; ${known}.`
    : `Choose a stage with --context stage=NAME, or --stage NAME of npm start; ${known}.`;
  throw new SettingsError([{ detail, pointer: '#/stages' }]);
};

const isSame = (one: Fault, other: Fault) => one.pointer === other.pointer && one.detail === other.detail;

const prefixPointer =
  (path: string) =>
  ({ detail, pointer }: Fault): Fault => ({ detail, pointer: `#/${path}${pointer.slice(1)}` });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError([{ pointer: '#/', detail: 'The settings are a text that is not JSON.' }]);
  }
};
