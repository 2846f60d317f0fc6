import { describe, expect, it } from 'vitest';
import { deploymentOf, mixedSettings, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';

type Plan = { BackupPlan: { BackupPlanRule: unknown[] } };

const copied = sample('everything');
const notCopied = sample('largest');

describe('backups', () => {
  it('are absent without the setting', () => {
    const { template, outputs } = sample('default');
    expect(JSON.stringify(template)).not.toContain('AWS::Backup');
    expect(outputs).not.toHaveProperty('BackupVaultName');
  });

  it('contain all six tables, selected once the role has its policy', () => {
    const selection = copied.only<{ BackupSelection: object }>('AWS::Backup::BackupSelection');
    expect(selection.properties.BackupSelection).toMatchObject({
      Resources: copied.resources('AWS::DynamoDB::GlobalTable').map(({ arn }) => arn),
    });
    expect(selection.dependsOn).toContainEqual(expect.stringMatching(/^BackupRoleDefaultPolicy/));
  });

  it.each([
    ['and copied to the vault of the setting, 12 months as 365 days', copied, 35, 365],
    ['at most 100 years, and not copied without a vault', notCopied, 1, 36_500],
  ])('are made daily and monthly, kept as long as set: %s', (_, deployment, daily, monthly) => {
    const { vaultArn } = sampleSettings.everything.backup;
    const rule = (ScheduleExpression: string, DeleteAfterDays: number) => {
      const Lifecycle = { DeleteAfterDays };
      const copies = [{ DestinationBackupVaultArn: vaultArn, Lifecycle }];
      return {
        RuleName: expect.any(String),
        TargetBackupVault: deployment.outputs['BackupVaultName'],
        ...{ ScheduleExpression, Lifecycle, CopyActions: deployment === copied ? copies : undefined },
      };
    };
    const plan = deployment.only<Plan>('AWS::Backup::BackupPlan').properties.BackupPlan;
    expect(plan.BackupPlanRule).toEqual([
      rule('cron(0 1 * * ? *)', daily),
      rule('cron(0 1 1 * ? *)', monthly),
    ]);
  });

  it.each([
    ['1 month', mixedSettings.likeDefault, 31],
    ['5 months', mixedSettings.otherAddresses, 153],
    ['11 months', mixedSettings.slower, 335],
  ])('are kept for no less than %s', (_, settings, days) => {
    const { only } = deploymentOf(settings);
    const { BackupPlanRule } = only<Plan>('AWS::Backup::BackupPlan').properties.BackupPlan;
    expect(BackupPlanRule[1]).toMatchObject({ Lifecycle: { DeleteAfterDays: days } });
  });

  it('are in a vault whose name the next stack does not use, because a deleted stack leaves it', () => {
    const BackupVaultName = 'warehouse-51af3dc0-da77-11e4-872e-1234567db123';
    expect(copied.only('AWS::Backup::BackupVault').properties).toMatchObject({ BackupVaultName });
  });
});
