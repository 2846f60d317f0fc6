import { describe, expect, it } from 'vitest';
import { deploymentOf } from './deployment.ts';

type Rule = {
  ScheduleExpression: string;
  TargetBackupVault: string;
  Lifecycle: { DeleteAfterDays: number };
  CopyActions?: { DestinationBackupVaultArn: string; Lifecycle: { DeleteAfterDays: number } }[];
};
type Plan = { BackupPlan: { BackupPlanRule: Rule[] } };

const VAULT = 'AWS::Backup::BackupVault';
const vaultArn = 'arn:aws:backup:eu-west-1:210987654321:backup-vault:copies';
const deployment = deploymentOf({ backup: { dailyFor: 35, monthlyFor: 12 } });
const copied = deploymentOf({ ephemeral: true, backup: { vaultArn, dailyFor: 1, monthlyFor: 1_200 } });

const rulesOf = ({ only }: typeof deployment) =>
  only<Plan>('AWS::Backup::BackupPlan').properties.BackupPlan.BackupPlanRule;

describe('backups', () => {
  it('are absent without the setting', () => {
    const { template, outputs } = deploymentOf();
    expect(JSON.stringify(template)).not.toContain('AWS::Backup');
    expect(outputs).not.toHaveProperty('BackupVaultName');
  });

  it('contain all four tables', () => {
    const selection = deployment.only<{ BackupSelection: object }>('AWS::Backup::BackupSelection');
    expect(selection.properties.BackupSelection).toMatchObject({
      Resources: deployment.resources('AWS::DynamoDB::GlobalTable').map(({ arn }) => arn),
    });
  });

  it('are made daily and monthly, and kept as long as set (12 months are 365 days)', () => {
    expect(rulesOf(deployment)).toMatchObject([
      { ScheduleExpression: 'cron(0 1 * * ? *)', Lifecycle: { DeleteAfterDays: 35 } },
      { ScheduleExpression: 'cron(0 1 1 * ? *)', Lifecycle: { DeleteAfterDays: 365 } },
    ]);
    for (const rule of rulesOf(deployment)) {
      expect(rule.TargetBackupVault).toBe(deployment.outputs['BackupVaultName']);
      expect(rule).not.toHaveProperty('CopyActions');
    }
  });

  it('are copied to the vault of the setting, and kept there equally long, at most 100 years', () => {
    const [daily, monthly] = rulesOf(copied);
    expect([daily?.Lifecycle.DeleteAfterDays, monthly?.Lifecycle.DeleteAfterDays]).toEqual([1, 36_500]);
    for (const { CopyActions, Lifecycle } of rulesOf(copied)) {
      expect(CopyActions).toEqual([{ DestinationBackupVaultArn: vaultArn, Lifecycle }]);
    }
  });

  it('stay when the stack is deleted, in a vault whose name the next stack does not use', () => {
    for (const { only } of [deployment, copied]) {
      const { deletionPolicy, updateReplacePolicy, properties } = only<{ BackupVaultName: string }>(VAULT);
      expect([deletionPolicy, updateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
      expect(properties.BackupVaultName).toBe('warehouse-51af3dc0-da77-11e4-872e-1234567db123');
    }
  });
});
