import { isRecord } from '../../shared/schemas/json.ts';
import type { Fault } from '../../shared/schemas/problem.ts';
import { faultsOf, type Settings, SettingsError, toSettings } from './settings.ts';

const STAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/;

/**
 * The settings of one deployment. The context has them as an object (cdk.json) or as JSON (`--context`); beside them
 * stands, under `stages`, what is different in each stage. All stages are looked at, whichever is asked for: a fault in
 * production's settings is not to be found on the day that production is deployed.
 */
export const parseSettings = (context: unknown, stage?: unknown): Settings => {
  const written = typeof context === 'string' ? parseJson(context) : (context ?? {});
  if (!isRecord(written)) return toSettings(written);
  const { stages, ...common } = written;
  if (stages === undefined && !stage) return toSettings(common);

  const settings = inStages(common, stages ?? {});
  return toSettings(settings.get(String(stage)) ?? noSuchStage(stage, [...settings.keys()]));
};

/** What each stage comes to, once there is nothing wrong with any of them. */
const inStages = (common: Record<string, unknown>, stages: unknown) => {
  const faults = [...faultsOf(common), ...faultsOfStages(stages)];
  const own = isRecord(stages)
    ? Object.entries(stages).filter(([name, each]) => STAGE_NAME.test(name) && isRecord(each))
    : [];
  const settings = new Map(own.map(([name, each]) => [name, ofStage(common, name, each)]));
  for (const [name, each] of settings) {
    // What is wrong with the common settings is told once.
    const others = faultsOf(each).filter((fault) => !faults.some((known) => isSame(fault, known)));
    faults.push(...others.map(below(`stages/${name}`)));
  }
  faults.push(...repeatedStacks(settings));
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

/** A stage of which nothing is said is a deployment of its own all the same. */
const ofStage = (common: Record<string, unknown>, name: string, own: unknown) =>
  merged({ ...common, stackName: `${stackNameOf(common)}-${name}` }, own);

const stackNameOf = ({ stackName }: Record<string, unknown>) =>
  typeof stackName === 'string' ? stackName : toSettings({}).stackName;

/** Field by field, so that a stage that sets one alarm keeps who is written to. */
const merged = (common: unknown, own: unknown): unknown => {
  if (!isRecord(common) || !isRecord(own)) return own;
  const fields = Object.entries(own).map(([name, value]) => [name, merged(common[name], value)]);
  return { ...common, ...Object.fromEntries(fields) };
};

const repeatedStacks = (settings: ReadonlyMap<string, unknown>): Fault[] => {
  const taken = new Set<unknown>();
  return [...settings].flatMap(([name, each]) => {
    const { stackName } = Object(each);
    const isTaken = taken.has(stackName);
    taken.add(stackName);
    const detail = `Another stage has the stack name ${stackName}; one would be deployed over the other.`;
    return isTaken ? [{ detail, pointer: `#/stages/${name}/stackName` }] : [];
  });
};

/** Without one, a command that forgets it would make yet another deployment, or look at the wrong one. */
const noSuchStage = (stage: unknown, names: string[]) => {
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'there are none';
  const detail = stage
    ? `No stage is named ${String(stage)}; ${known}.`
    : `Choose a stage with --context stage=NAME, or --stage NAME of npm start; ${known}.`;
  throw new SettingsError([{ detail, pointer: '#/stages' }]);
};

const isSame = (one: Fault, other: Fault) => one.pointer === other.pointer && one.detail === other.detail;

const below =
  (path: string) =>
  ({ detail, pointer }: Fault): Fault => ({ detail, pointer: `#/${path}${pointer.slice(1)}` });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError([{ pointer: '#/', detail: 'The settings are a text that is not JSON.' }]);
  }
};
