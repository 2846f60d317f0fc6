import { describe, expect, it } from 'vitest';
import { type Deployment, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';

type Rule = {
  ScheduleExpression: string;
  TargetBackupVault: string;
  Lifecycle: { DeleteAfterDays: number };
  CopyActions?: { DestinationBackupVaultArn: string; Lifecycle: { DeleteAfterDays: number } }[];
};
type Plan = { BackupPlan: { BackupPlanRule: Rule[] } };

const copied = sample('everything');
const notCopied = sample('largest');
const rulesOf = ({ only }: Deployment) =>
  only<Plan>('AWS::Backup::BackupPlan').properties.BackupPlan.BackupPlanRule;

describe('backups', () => {
  it('are absent without the setting', () => {
    const { template, outputs } = sample('default');
    expect(JSON.stringify(template)).not.toContain('AWS::Backup');
    expect(outputs).not.toHaveProperty('BackupVaultName');
  });

  it('contain all four tables', () => {
    const selection = copied.only<{ BackupSelection: object }>('AWS::Backup::BackupSelection');
    expect(selection.properties.BackupSelection).toMatchObject({
      Resources: copied.resources('AWS::DynamoDB::GlobalTable').map(({ arn }) => arn),
    });
  });

  it.each([
    ['12 months are 365 days', copied, 35, 365],
    ['at most 100 years', notCopied, 1, 36_500],
  ])('are made daily and monthly, and kept as long as set: %s', (_, deployment, daily, monthly) => {
    expect(rulesOf(deployment)).toMatchObject([
      { ScheduleExpression: 'cron(0 1 * * ? *)', Lifecycle: { DeleteAfterDays: daily } },
      { ScheduleExpression: 'cron(0 1 1 * ? *)', Lifecycle: { DeleteAfterDays: monthly } },
    ]);
    for (const { TargetBackupVault } of rulesOf(deployment)) {
      expect(TargetBackupVault).toBe(deployment.outputs['BackupVaultName']);
    }
  });

  it('are copied only to the vault of the setting, and kept there equally long', () => {
    const { vaultArn } = sampleSettings.everything.backup;
    for (const { CopyActions, Lifecycle } of rulesOf(copied)) {
      expect(CopyActions).toEqual([{ DestinationBackupVaultArn: vaultArn, Lifecycle }]);
    }
    for (const rule of rulesOf(notCopied)) expect(rule).not.toHaveProperty('CopyActions');
  });

  it('stay when the stack is deleted, in a vault whose name the next stack does not use', () => {
    for (const { only } of [copied, notCopied]) {
      const vault = only<{ BackupVaultName: string }>('AWS::Backup::BackupVault');
      expect(vault).toMatchObject({
        deletionPolicy: 'RetainExceptOnCreate',
        updateReplacePolicy: 'Retain',
        properties: { BackupVaultName: 'warehouse-51af3dc0-da77-11e4-872e-1234567db123' },
      });
    }
  });
});
