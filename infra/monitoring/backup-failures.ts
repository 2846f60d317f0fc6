import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

type BackupFailuresProps = { topic: Topic; tableArns: readonly string[]; runbook: string };

export const addBackupFailures = (scope: Construct, { topic, tableArns, runbook }: BackupFailuresProps) => {
  const rule = new Rule(scope, 'FailedBackups', {
    description: 'Backups of tables, and copies of backups, that ended without success',
    eventPattern: {
      source: ['aws.backup'],
      detailType: ['Backup Job State Change', 'Copy Job State Change'],
      detail: { state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'], resourceArn: tableArns },
    },
  });
  const text = [
    `${EventField.fromPath('$.detail-type')} to ${EventField.fromPath('$.detail.state')}`,
    `of the table ${EventField.fromPath('$.detail.resourceArn')}.`,
    'Impact: None for warehouses. The newest backup of this table, or its copy, is older than the plan says.',
    `What to do: ${runbook}#backups`,
  ].join(' ');
  // Without a role, EventBridge would need a topic policy without conditions.
  rule.addTarget(new SnsTopic(topic, { message: RuleTargetInput.fromText(text), authorizeUsingRole: true }));
};
