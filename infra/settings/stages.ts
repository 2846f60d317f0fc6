import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../shared/http/json.ts';
import type { Issue } from '../../shared/http/problem.ts';
import { issuesOf, type Settings, SettingsError, toSettings } from './settings.ts';

const STAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/;

// The context is an object (cdk.json) or JSON text (`--context`).
// Checks all stages, so that the synthesis of a test stage also finds a mistake in the settings of production.
export const parseSettings = (context: unknown = {}, stageName?: unknown): Settings => {
  const value = typeof context === 'string' ? parseJson(context) : context;
  if (!isRecord(value)) return toSettings(value);
  const { stages, ...common } = value;
  if (stages === undefined && !stageName) return toSettings(common);

  const settings = settingsByStage(common, stages);
  return toSettings(settings.get(String(stageName)) ?? refuseStage(stageName, [...settings.keys()]));
};

const settingsByStage = (common: Record<string, unknown>, stages: unknown = {}) => {
  const issues = [...issuesOf(common), ...issuesOfStages(stages)];
  const validStages = isRecord(stages)
    ? Object.entries(stages).filter(([name, stage]) => STAGE_NAME.test(name) && isRecord(stage))
    : [];
  const settings = new Map(validStages.map(([name, stage]) => [name, mergeStage(common, name, stage)]));
  for (const [name, stageSettings] of settings) {
    // An issue of the common settings is listed once, and not again for each stage.
    const stageIssues = issuesOf(stageSettings).filter(
      (issue) => !issues.some((listed) => isDeepStrictEqual(issue, listed)),
    );
    for (const { detail, pointer } of stageIssues) {
      issues.push({ detail, pointer: `#/stages/${name}${pointer.slice(1)}` });
    }
  }
  issues.push(...issuesOfRepeatedStacks(settings));
  if (issues.length > 0) throw new SettingsError(issues);
  return settings;
};

const issuesOfStages = (stages: unknown): Issue[] => {
  if (isRecord(stages)) return Object.entries(stages).flatMap(([name, stage]) => issuesOfStage(name, stage));
  const detail =
    'stages must be an object. Its keys are the names of the stages, and its values are their settings.';
  return [{ detail, pointer: '#/stages' }];
};

const NAME_RULE =
  'The name of a stage must have 1 to 32 characters: letters, digits and "-". It cannot start with "-".';
const OBJECT_RULE = 'A stage must be an object with the settings that differ from the common settings.';

const issuesOfStage = (name: string, stage: unknown): Issue[] => {
  const details = [STAGE_NAME.test(name) ? [] : NAME_RULE, isRecord(stage) ? [] : OBJECT_RULE].flat();
  return details.map((detail) => ({ detail, pointer: `#/stages/${encodeURIComponent(name)}` }));
};

const mergeStage = (common: Record<string, unknown>, name: string, stage: unknown) =>
  merge({ ...common, stackName: `${stackNameOf(common)}-${name}` }, stage);

const stackNameOf = ({ stackName }: Record<string, unknown>) =>
  typeof stackName === 'string' ? stackName : toSettings({}).stackName;

/** Merges nested fields, so that a stage that sets one field of `alarms` keeps the other fields. */
const merge = (common: unknown, special: unknown): unknown => {
  if (!isRecord(common) || !isRecord(special)) return special;
  const fields = Object.entries(special).map(([name, value]) => [name, merge(common[name], value)]);
  return { ...common, ...Object.fromEntries(fields) };
};

const issuesOfRepeatedStacks = (settings: ReadonlyMap<string, unknown>): Issue[] => {
  const seen = new Set<unknown>();
  return [...settings].flatMap(([name, stageSettings]) => {
    const { stackName } = Object(stageSettings);
    const isRepeated = seen.has(stackName);
    seen.add(stackName);
    const detail = `Another stage has the same stack name ${stackName}, so both would deploy the same stack.`;
    return isRepeated ? [{ detail, pointer: `#/stages/${name}/stackName` }] : [];
  });
};

/** There is no default stage: a command without a stage could create or read the wrong deployment. */
const refuseStage = (stageName: unknown, names: string[]) => {
  const choice = names.length > 0 ? `The stages are ${names.join(', ')}.` : 'The settings have no stages.';
  const detail = stageName
    ? `There is no stage ${String(stageName)}. ${choice}`
    : `Choose a stage with --context stage=NAME, npm start -- --stage NAME, or npm run doctor -- --account NAME. ${choice}`;
  throw new SettingsError([{ detail, pointer: '#/stages' }]);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError([{ pointer: '#/', detail: 'The settings are not valid JSON.' }]);
  }
};
