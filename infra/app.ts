import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { checkAccountAndRegion } from './settings/check-account-and-region.ts';
import { checkContextKeys } from './settings/check-context-keys.ts';
import { SETTINGS_KEY, SettingsError, STAGE_KEY } from './settings/settings.ts';
import { parseSettings } from './settings/stages.ts';
import { WarehouseControlStack } from './warehouse-control-stack.ts';

/** Throws a SettingsError if the settings in the app's context have an issue. */
export const buildApp = (props: AppProps, environment: NodeJS.ProcessEnv) => {
  const app = new App(props);
  checkContextKeys(app.node.getAllContext());
  const stage = app.node.tryGetContext(STAGE_KEY);
  const settings = parseSettings(app.node.tryGetContext(SETTINGS_KEY), stage);
  checkAccountAndRegion(settings, environment);
  const stack = new WarehouseControlStack(app, settings.stackName, {
    settings,
    ...(stage ? { stage: String(stage) } : {}),
    description: 'Warehouse Control Interface',
    terminationProtection: !settings.ephemeral,
  });
  return { app, stack };
};

/** Adds the checks. A finding stops the synthesis. */
export const addValidations = async (app: App, environment: NodeJS.ProcessEnv) => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // The CDK reads this variable itself. Here it also turns off cdk-preflight.
  if (environment['CDK_VALIDATION'] === 'false') return;
  const { Preflight } = await import('cdk-preflight');
  Preflight.apply(app);
};

/** Returns the exit code. The CDK synthesizes the app when the process ends. */
export const main = async (
  props: AppProps,
  environment: NodeJS.ProcessEnv,
  print: (text: string) => void,
) => {
  try {
    const { app } = buildApp(props, environment);
    await addValidations(app, environment);
    return 0;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    print(`${error.message}\n`);
    return 1;
  }
};

if (import.meta.main) {
  process.exitCode = await main({}, process.env, (text) => process.stderr.write(text));
}
