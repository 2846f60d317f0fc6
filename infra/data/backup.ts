import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { stackUuid } from '../stack-uuid.ts';

type BackupProps = NonNullable<Settings['backup']> & { tableArns: readonly string[] };

export class Backup extends Construct {
  readonly tableArns: readonly string[];
  private readonly vault: BackupVault;

  constructor(
    scope: Construct,
    id: string,
    // The vault of the setting gets copies. The backups are in the vault of this stack.
    { tableArns, vaultArn: copyVaultArn, dailyFor, monthlyFor }: BackupProps,
  ) {
    super(scope, id);
    this.tableArns = tableArns;
    // A deleted stack leaves its vault behind, so the next stack of this name needs another name for its vault.
    const name = `warehouse-${stackUuid()}`;
    this.vault = new BackupVault(this, 'Vault', {
      backupVaultName: name,
      // CloudFormation cannot delete a vault with backups. The backups expire by themselves.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const copyVault =
      copyVaultArn === undefined
        ? undefined
        : BackupVault.fromBackupVaultArn(this, 'CopyVault', copyVaultArn);
    const rule = (ruleName: string, schedule: Schedule, deleteAfter: Duration) =>
      new BackupPlanRule({
        ruleName,
        backupVault: this.vault,
        scheduleExpression: schedule,
        deleteAfter,
        ...(copyVault ? { copyActions: [{ destinationBackupVault: copyVault, deleteAfter }] } : {}),
      });
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: name,
      // If two rules apply at the same time, AWS Backup makes only the backup that is kept longer.
      backupPlanRules: [
        rule('Daily', Schedule.cron({ minute: '0', hour: '1' }), Duration.days(dailyFor)),
        rule(
          'Monthly',
          Schedule.cron({ minute: '0', hour: '1', day: '1' }),
          Duration.days(daysOf(monthlyFor)),
        ),
      ],
    });
    const role = this.roleFor(copyVaultArn);
    const selection = plan.addSelection('Tables', {
      resources: tableArns.map((arn) => BackupResource.fromArn(arn)),
      role,
      // The managed policy allows backups of nearly every service.
      disableDefaultBackupPolicy: true,
    });
    // AWS Backup refuses a selection whose role has not got its policy yet.
    selection.node.addDependency(role);
  }

  get vaultName() {
    return this.vault.backupVaultName;
  }

  completed(period: Duration) {
    return new Metric({
      namespace: 'AWS/Backup',
      metricName: 'NumberOfBackupJobsCompleted',
      dimensionsMap: { BackupVaultName: this.vaultName },
      statistic: Stats.SUM,
      period,
    });
  }

  /** Allows only what AWS Backup needs to back up and copy these tables. */
  private roleFor(copyVaultArn: string | undefined) {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    const allow = (actions: string[], resources: readonly string[], conditions = {}) =>
      role.addToPolicy(new PolicyStatement({ actions, resources: [...resources], conditions }));
    const recoveryPoints = recoveryPointsIn(Aws.REGION);
    allow(
      ['dynamodb:DescribeTable', 'dynamodb:ListTagsOfResource', 'dynamodb:StartAwsBackupJob'],
      this.tableArns,
    );
    allow(['backup:DescribeBackupVault'], [this.vault.backupVaultArn]);
    allow(['backup:TagResource'], [recoveryPoints]);
    // This action has no narrower resource. AWS Backup checks the permission when a selection is made.
    allow(['tag:GetResources'], ['*']);
    acknowledgeWildcards(role, [recoveryPoints, '*']);
    if (copyVaultArn === undefined) return role;

    const copyRegion = Fn.select(REGION_IN_ARN, Fn.split(':', copyVaultArn));
    const copies = recoveryPointsIn(copyRegion);
    const keys = [Aws.REGION, copyRegion].map(keysIn);
    allow(['backup:CopyFromBackupVault'], [recoveryPoints]);
    allow(['backup:CopyIntoBackupVault', 'backup:DescribeBackupVault'], [copyVaultArn]);
    allow(['backup:TagResource'], [copies]);
    // By default, a vault uses AWS Backup's own key.
    allow(['kms:DescribeKey'], keys, {
      'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'alias/aws/backup' },
    });
    acknowledgeWildcards(role, [copies, ...keys]);
    return role;
  }
}

/** arn:partition:backup:region:account:backup-vault:NAME */
const REGION_IN_ARN = 3;

const daysOf = (months: number) => Math.ceil((months * 365) / 12);

const recoveryPointsIn = (region: string) =>
  `arn:${Aws.PARTITION}:backup:${region}:${Aws.ACCOUNT_ID}:recovery-point:*`;

const keysIn = (region: string) => `arn:${Aws.PARTITION}:kms:${region}:${Aws.ACCOUNT_ID}:key/*`;

/** The id of a cdk-nag finding contains the ARN, with references such as `<AWS::Region>`. */
const acknowledgeWildcards = (role: Role, arns: readonly string[]) =>
  Validations.of(role).acknowledge(
    ...arns.map((arn) => ({
      id: `AwsSolutions-IAM5[Resource::${arn
        .replace(Aws.PARTITION, '<AWS::Partition>')
        .replace(Aws.REGION, '<AWS::Region>')
        .replace(Aws.ACCOUNT_ID, '<AWS::AccountId>')}]`,
      reason:
        'AWS generates the ids of recovery points and of its own keys, and tag:GetResources has no resource.',
    })),
  );
