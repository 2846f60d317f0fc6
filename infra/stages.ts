import * as v from 'valibot';
import { explainFaults, type Fault } from '../shared/body-faults.ts';
import { isRecord } from '../shared/record.ts';
import { faultsOf, type Settings, SettingsError, toSettings } from './settings.ts';

const Stages = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'The name of a stage takes 1 to 32 letters, digits and "-".'),
  ),
  v.record(v.string(), v.unknown(), 'A stage is an object with the settings by which it differs.'),
  'stages has to be an object with the settings of each stage by its name.',
);

/**
 * The settings of one deployment. The context has them as an object (cdk.json) or as JSON (`--context`); beside them
 * stands, under `stages`, what is different in each stage. All stages are looked at, whichever is asked for: a fault in
 * production's settings is not to be found on the day that production is deployed.
 */
export const parseSettings = (context: unknown, stage?: unknown): Settings => {
  const written = typeof context === 'string' ? parseJson(context) : (context ?? {});
  const { stages, ...common } = isRecord(written) ? written : {};
  refuse(faultsOf(isRecord(written) ? common : written));
  refuse(explainFaults(Stages, stages ?? {}).listed.map(below('stages')));

  const settings = new Map(
    Object.entries(v.parse(Stages, stages ?? {})).map(([name, own]) => [name, merged(common, name, own)]),
  );
  refuse([...settings].flatMap(([name, each]) => faultsOf(each).map(below(`stages/${name}`))));
  refuse(sameStacks([common, ...settings.values()].map(toSettings), [...settings.keys()]));
  return toSettings(
    stage === undefined ? common : (settings.get(String(stage)) ?? noSuchStage(stage, settings)),
  );
};

/** A stage of which nothing is said is a deployment of its own all the same. */
const merged = (common: Record<string, unknown>, name: string, own: Record<string, unknown>) => ({
  ...common,
  stackName: `${toSettings(common).stackName}-${name}`,
  ...own,
});

const sameStacks = ([common, ...stages]: Settings[], names: string[]) => {
  const taken = new Set([common?.stackName]);
  return stages.flatMap(({ stackName }, index): Fault[] => {
    if (!taken.has(stackName)) {
      taken.add(stackName);
      return [];
    }
    const detail = `Another deployment has the stack name ${stackName}; one would be deployed over the other.`;
    return [{ detail, pointer: `#/stages/${names[index]}/stackName` }];
  });
};

const noSuchStage = (stage: unknown, stages: ReadonlyMap<string, unknown>) => {
  const known = stages.size > 0 ? `there are ${[...stages.keys()].join(', ')}` : 'there are none';
  throw new SettingsError([{ detail: `No stage is named ${String(stage)}; ${known}.`, pointer: '#/stages' }]);
};

const refuse = (faults: readonly Fault[]) => {
  if (faults.length > 0) throw new SettingsError(faults);
};

const below =
  (path: string) =>
  ({ detail, pointer }: Fault): Fault => ({ detail, pointer: `#/${path}${pointer.slice(1)}` });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError([{ pointer: '#/', detail: 'What was given on the command line is not JSON.' }]);
  }
};
