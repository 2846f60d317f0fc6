import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { checkAccountAndRegion } from './settings/check-account-and-region.ts';
import { SETTINGS_KEY, SettingsError, STAGE_KEY } from './settings/settings.ts';
import { parseSettings } from './settings/stages.ts';
import { WarehouseControlStack } from './warehouse-control-stack.ts';

const build = async () => {
  const app = new App();
  const stage = app.node.tryGetContext(STAGE_KEY);
  const settings = parseSettings(app.node.tryGetContext(SETTINGS_KEY), stage);
  checkAccountAndRegion(settings, process.env);
  new WarehouseControlStack(app, settings.stackName, {
    settings,
    ...(stage ? { stage: String(stage) } : {}),
    description: 'Warehouse Control Interface',
    terminationProtection: !settings.ephemeral,
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // The CDK reads this variable itself. Here it also turns off cdk-preflight.
  if (process.env['CDK_VALIDATION'] === 'false') return;
  const { Preflight } = await import('cdk-preflight');
  Preflight.apply(app);
};

try {
  await build();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
