import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { parseSettings, SETTINGS_KEY, SettingsError } from './settings.ts';
import { WarehouseControlStack } from './warehouse-control-stack.ts';

const build = () => {
  const app = new App();
  const settings = parseSettings(app.node.tryGetContext(SETTINGS_KEY));
  new WarehouseControlStack(app, settings.stackName, {
    settings,
    description: 'Warehouse Control Interface',
    terminationProtection: !settings.ephemeral,
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};

try {
  build();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
