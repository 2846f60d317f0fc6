# Commands of docs/runbook.md. Load them into a shell: . docs/runbook.sh
# They work in sh, bash and zsh. They need version 2 of the AWS CLI, credentials, a region, and Node.
# shellcheck shell=sh

STACK=${STACK:-WarehouseControl} # the name of the deployment's stack
SINCE=${SINCE:-1h}               # how far back the logs are read: 30m, 1h, 2d, 1w

case "$(aws --version 2>&1)" in
  aws-cli/2*) ;;
  *) echo "These commands need version 2 of the AWS CLI: https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html
This one is: $(aws --version 2>&1)" >&2 ;;
esac

# admin COMMAND: a command of warehouse-admin on this stack.
admin() { npx warehouse-admin "$@" --stack "$STACK"; }

# doctor: tries the deployment as a client would. It asks for the password of the client doctor.
doctor() ( url=$(output BaseUrl) && npm run doctor -- --base-url "$url" --client doctor "$@" )

# output NAME: an output of the stack.
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue"
}

# resource PREFIX TYPE: the name that AWS gave to a resource of the stack.
resource() {
  aws cloudformation list-stack-resources --stack-name "$STACK" --output text \
    --query "StackResourceSummaries[?starts_with(LogicalResourceId, '$1') && ResourceType == '$2'].PhysicalResourceId" |
    grep . || { echo "The stack $STACK has no $2 whose id begins with $1." >&2; return 1; }
}

# hours_ago N: the time N hours ago, in UTC.
hours_ago() { node -p "new Date(Date.now() - $1 * 3_600_000).toISOString()"; }

# pascal_case NAME: PostChange for post-change.
pascal_case() { echo "$1" | awk -F - '{ for (i = 1; i <= NF; i++) printf "%s", toupper(substr($i, 1, 1)) substr($i, 2) }'; }

# logs NAME PATTERN: the lines of a log that match a filter pattern. A function's name may also be written as in alarms: post-change.
# Names: ApiAccessLog, Authorizer, Watch, PostChange, GetMaterialCodes, GetPurchaseOrders, PostMaterialStockBalance.
logs() (
  group=$(resource "$(pascal_case "$1")" AWS::Logs::LogGroup) || exit
  echo "== $1 =="
  aws logs tail "$group" --since "$SINCE" --format short --filter-pattern "$2"
)

# operation_logs PATTERN: the lines of the four operations' functions that match a filter pattern.
operation_logs() (
  for name in PostChange GetMaterialCodes GetPurchaseOrders PostMaterialStockBalance; do logs "$name" "$1"; done
)

# active_alarms: the alarms that are on, of the stack and its stages, with their texts.
active_alarms() {
  aws cloudwatch describe-alarms --state-value ALARM --alarm-name-prefix "$STACK-" --output table \
    --query 'MetricAlarms[].[AlarmName,AlarmDescription,StateUpdatedTimestamp]'
}

# alarm_clients ALARM: the clients that keep the alarm ClientLimits or RefusedBatches on.
alarm_clients() (
  alarm=$(resource "Monitoring$1" AWS::CloudWatch::Alarm) || exit
  aws cloudwatch describe-alarm-contributors --alarm-name "$alarm" --output text \
    --query 'AlarmContributors[].[ContributorAttributes.client,StateReason]'
)

# request_lines ID: all lines of one request. ID is the requestId of its response, or its header x-amz-apigw-id.
request_lines() {
  logs ApiAccessLog "{ \$.requestId = \"$1\" }"
  logs Authorizer "{ \$.requestId = \"$1\" }"
  operation_logs "{ \$.requestId = \"$1\" }"
}

# requests STATUS [CLIENT]: requests by status, such as 200, '4*' or '*', of all clients or of one client.
requests() { logs ApiAccessLog "{ \$.status = \"$1\"${2:+ && \$.client = \"$2\"} }"; }

# requests_from ADDRESS: the requests from one IP address.
requests_from() { logs ApiAccessLog "{ \$.sourceIp = \"$1\" }"; }

# server_errors: requests that failed with 5xx, and the log lines that explain them.
server_errors() {
  requests '5*'
  logs Authorizer '{ $.level = "ERROR" }'
  operation_logs '{ $.level = "ERROR" }'
}

# function_failures NAME: failed executions of a function, and its errors.
function_failures() {
  logs "$1" '{ $.type = "platform.*" && $.record.status != "success" }'
  logs "$1" '{ $.level = "ERROR" || $.level = "FATAL" }'
}

# slow_requests NAME [MS]: executions of a function that took more than MS milliseconds (6000).
slow_requests() { logs "$1" "{ \$.durationMs > ${2:-6000} || \$.record.metrics.durationMs > ${2:-6000} }"; }

# slow_traces: traces of the last hour that took more than 6 s, with the setting `tracing`.
slow_traces() {
  aws xray get-trace-summaries --start-time "$(hours_ago 1)" --end-time "$(hours_ago 0)" \
    --filter-expression 'responsetime > 6' --query 'TraceSummaries[].[Id,ResponseTime,Http.HttpURL]' --output table
}

# wrong_credentials [CLIENT]: refusals by the authorizer, and requests with 401 that the authorizer or an address rule refused.
wrong_credentials() {
  logs Authorizer "{ \$.code = \"credentials-refused\"${1:+ && \$.client = \"$1\"} }"
  logs ApiAccessLog '{ $.status = "401" && $.errorType = "ACCESS_DENIED" }'
}

# unreadable_clients: why the authorizer could not read the table Clients or an item of it, and the state of the table.
unreadable_clients() (
  logs Authorizer '{ $.code = "clients-unreadable" || $.code = "client-damaged" }'
  table=$(resource TablesClients AWS::DynamoDB::GlobalTable) || exit
  aws dynamodb describe-table --table-name "$table" --query 'Table.[TableStatus,TableName]' --output text
)

# watch_hour TIME: runs the watch for the whole hour before TIME, such as 2026-11-21T09:05:00Z. A repeated run sends its message again.
watch_hour() (
  watch=$(resource WatchFunction AWS::Lambda::Function) || exit
  aws lambda invoke --function-name "$watch" --cli-read-timeout 150 --cli-binary-format raw-in-base64-out \
    --payload "{\"time\": \"$1\"}" /dev/stdout
)

# certificate ARN: until when a certificate is valid, and why ACM could not renew it.
certificate() {
  aws acm describe-certificate --certificate-arn "$1" --query 'Certificate.[Type,NotAfter,RenewalSummary,DomainValidationOptions]'
}

# blocked_addresses: the addresses that the firewall blocks now.
blocked_addresses() (
  acl=$(resource FirewallAcl AWS::WAFv2::WebACL) || exit
  aws wafv2 get-rate-based-statement-managed-keys --scope REGIONAL --rule-name TooManyRequests \
    --web-acl-name "$(echo "$acl" | cut -d '|' -f 1)" --web-acl-id "$(echo "$acl" | cut -d '|' -f 2)"
)

# concurrency: the account's quota of concurrent executions, and the most executions at once in the last three hours.
concurrency() {
  aws lambda get-account-settings --query AccountLimit
  aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name ConcurrentExecutions \
    --statistics Maximum --period 300 --start-time "$(hours_ago 3)" --end-time "$(hours_ago 0)" --output table
}

# table_errors: requests that failed at a table, with the reason.
table_errors() { operation_logs '{ $.code = "storage-unavailable" }'; }

# table_use TABLE [METRIC]: the units that a table used in the last hour, by the minute.
# METRIC is ConsumedWriteCapacityUnits or, for reads, ConsumedReadCapacityUnits.
table_use() (
  table=$(resource "Tables$1" AWS::DynamoDB::GlobalTable) || exit
  aws cloudwatch get-metric-statistics --namespace AWS/DynamoDB --metric-name "${2:-ConsumedWriteCapacityUnits}" \
    --dimensions "Name=TableName,Value=$table" --statistics Sum --period 60 \
    --start-time "$(hours_ago 1)" --end-time "$(hours_ago 0)" --output table
)

# large_batches: batches of more than 4,000 entries.
large_batches() { logs PostMaterialStockBalance '{ $.entryCount > 4000 }'; }

# throttled_keys: the keys of BalanceSnapshots that were throttled most in the last three hours.
throttled_keys() (
  table=$(resource TablesBalanceSnapshots AWS::DynamoDB::GlobalTable) || exit
  aws dynamodb describe-contributor-insights --table-name "$table" --query ContributorInsightsRuleList --output text |
    tr '\t' '\n' | while read -r rule; do
      aws cloudwatch get-insight-rule-report --rule-name "$rule" --period 300 --max-contributor-count 10 \
        --start-time "$(hours_ago 3)" --end-time "$(hours_ago 0)" --output text \
        --query 'Contributors[].[Keys,ApproximateAggregateValue]' </dev/null
    done
)

# refused_batches CLIENT: refused requests of a client, and the first rule that each broke.
refused_batches() {
  requests '4*' "$1"
  logs PostMaterialStockBalance "{ \$.code = \"request-refused\" && \$.client = \"$1\" }"
}

# backup_jobs: the backups and copies of the last three days, with the reasons of failures.
backup_jobs() (
  vault=$(resource BackupVault AWS::Backup::BackupVault) || exit
  since=$(hours_ago 72)
  aws backup list-backup-jobs --by-backup-vault-name "$vault" --by-created-after "$since" --output table \
    --query 'BackupJobs[].[CreationDate,State,ResourceName,StatusMessage]'
  aws backup list-copy-jobs --by-resource-type DynamoDB --by-created-after "$since" --output table \
    --query 'CopyJobs[].[CreationDate,State,ResourceName,DestinationBackupVaultArn,StatusMessage]'
  printf 'Advanced backups of DynamoDB: '
  aws backup describe-region-settings --query ResourceTypeManagementPreference.DynamoDB
)

# backup_now TABLE: starts a backup of one table. It is kept for 7 days and not copied.
backup_now() (
  vault=$(resource BackupVault AWS::Backup::BackupVault) &&
    table=$(resource "Tables$1" AWS::DynamoDB::GlobalTable) &&
    table_arn=$(aws dynamodb describe-table --table-name "$table" --query Table.TableArn --output text) &&
    role=$(resource BackupRole AWS::IAM::Role) &&
    role_arn=$(aws iam get-role --role-name "$role" --query Role.Arn --output text) &&
    aws backup start-backup-job --backup-vault-name "$vault" --lifecycle DeleteAfterDays=7 \
      --resource-arn "$table_arn" --iam-role-arn "$role_arn"
)

# costs_by_day: the costs of the stack in the last seven days, by service. Each call costs a cent.
costs_by_day() {
  aws ce get-cost-and-usage --granularity DAILY --metrics UnblendedCost --group-by Type=DIMENSION,Key=SERVICE \
    --time-period "Start=$(hours_ago 168 | cut -c 1-10),End=$(hours_ago 0 | cut -c 1-10)" \
    --filter "{\"Tags\": {\"Key\": \"service\", \"Values\": [\"$STACK\"]}}" --output table
}
