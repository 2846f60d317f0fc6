// List prices per unit, without free tiers and volume discounts, from a condensed copy of Amazon's price files.
// docs/costs.md has the commands that compare them with Amazon's own list.
export const priceList = {
  date: '2025-06-18',
  region: 'eu-central-1',
  currency: 'USD',
  copy: 'https://github.com/QuinnyPig/aws-price-watcher',
  pages: {
    'API Gateway': 'https://aws.amazon.com/api-gateway/pricing/',
    'Data transfer': 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
    Lambda: 'https://aws.amazon.com/lambda/pricing/',
    DynamoDB: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    Backup: 'https://aws.amazon.com/backup/pricing/',
    CloudWatch: 'https://aws.amazon.com/cloudwatch/pricing/',
    'Secrets Manager': 'https://aws.amazon.com/secrets-manager/pricing/',
    'X-Ray': 'https://aws.amazon.com/xray/pricing/',
    SNS: 'https://aws.amazon.com/sns/pricing/',
    WAF: 'https://aws.amazon.com/waf/pricing/',
  },
  /** Other projects found these prices unchanged at this date or later. The other prices were not checked. */
  confirmedLater: {
    date: '2026-08-06',
    prices: [
      'apiRequest',
      'writeUnit',
      'readUnit',
      'tableGbMonth',
      'pitrGbMonth',
      'logsIngestedGb',
      'logsStoredGbMonth',
      'metricMonth',
      'alarmMonth',
    ],
  },
  serviceCodes: [
    'AmazonApiGateway',
    'AWSLambda',
    'AmazonDynamoDB',
    'AWSBackup',
    'AmazonCloudWatch',
    'AWSSecretsManager',
    'AWSXRay',
    'AmazonSNS',
    'awswaf',
  ],
  prices: {
    /** REST API, the first 333 million a month. */
    apiRequest: 3.7e-6,
    lambdaRequest: 0.2e-6,
    /** arm64, the first 7.5 billion a month. */
    lambdaGbSecond: 0.0000133334,
    /** On demand, standard table, since November 2024. */
    writeUnit: 0.7625e-6,
    readUnit: 0.1525e-6,
    tableGbMonth: 0.306,
    /** On demand, table of the class Standard-IA. */
    infrequentWriteUnit: 0.955e-6,
    infrequentReadUnit: 0.1905e-6,
    infrequentTableGbMonth: 0.1224,
    /** The same price for both classes. */
    pitrGbMonth: 0.2448,
    tableExportGb: 0.1224,
    tableRestoreGb: 0.1836,
    /** AWS Backup, warm storage. */
    backupGbMonth: 0.1224,
    logsIngestedGb: 0.63,
    /** Per compressed GB. */
    logsStoredGbMonth: 0.0324,
    /** Custom metrics, the first 10,000. */
    metricMonth: 0.3,
    /** For each metric that an alarm watches, or that its query analyzes. */
    alarmMonth: 0.1,
    dashboardMonth: 3,
    /** Contributor Insights of a table. It also charges 0.037 for a million throttled calls. */
    insightRuleMonth: 0.5,
    secretMonth: 0.4,
    secretCall: 5e-6,
    trace: 5e-6,
    /** To the internet, the first 10 TB a month. */
    dataOutGb: 0.09,
    emailNotification: 20e-6,
    firewallMonth: 5,
    firewallRuleMonth: 1,
    firewallRequest: 0.6e-6,
  },
} as const;
