import { priceList } from '../../infra/monitoring/price-list.ts';
import { significant, textTable } from '../harness/markdown.ts';
import type { Price } from './request.ts';

type Service = keyof typeof priceList.pages;
type Shown = { service: Service; what: string; times: number };

const MILLION = 1_000_000;
const of = (service: Service, what: string, times = 1): Shown => ({ service, what, times });

const shown: Record<Price, Shown> = {
  apiRequest: of('API Gateway', 'a million requests', MILLION),
  dataOutGb: of('Data transfer', 'a GB to the internet'),
  lambdaRequest: of('Lambda', 'a million invocations', MILLION),
  lambdaGbSecond: of('Lambda', 'a million GB-seconds on arm64', MILLION),
  writeUnit: of('DynamoDB', 'a million write units on demand', MILLION),
  readUnit: of('DynamoDB', 'a million read units', MILLION),
  tableGbMonth: of('DynamoDB', 'a GB stored for a month'),
  pitrGbMonth: of('DynamoDB', 'the same with point-in-time recovery, beside that'),
  tableExportGb: of('DynamoDB', 'a GB exported'),
  tableRestoreGb: of('DynamoDB', 'a GB restored'),
  logsIngestedGb: of('CloudWatch', 'a GB written to a log'),
  logsStoredGbMonth: of('CloudWatch', 'a GB kept in a log for a month'),
  metricMonth: of('CloudWatch', 'a metric of its own for a month'),
  alarmMonth: of('CloudWatch', 'an alarm for a month, for each metric that it looks at'),
  dashboardMonth: of('CloudWatch', 'a dashboard for a month'),
  secretMonth: of('Secrets Manager', 'a secret for a month'),
  secretCall: of('Secrets Manager', 'a million reads', MILLION),
  trace: of('X-Ray', 'a million recorded traces', MILLION),
  emailNotification: of('SNS', 'a thousand e-mails', 1_000),
  firewallMonth: of('WAF', 'a firewall for a month'),
  firewallRuleMonth: of('WAF', 'a rule for a month'),
  firewallRequest: of('WAF', 'a million requests', MILLION),
};

const isPrice = (name: string): name is Price => name in priceList.prices;
const services = Object.entries(priceList.pages);
const again = new Set<string>(priceList.seenAgain.prices);

const inWords = (name: Price) =>
  `${significant(priceList.prices[name] * shown[name].times, 6)} ${shown[name].what}${again.has(name) ? '' : ' *'}`;

export const pricesTable = () => {
  const names = Object.keys(shown).filter(isPrice);
  const pricesOf = (service: string) => names.filter((name) => shown[name].service === service);
  return textTable(
    ['Service', 'Dollars'],
    services.map(([service, page]) => [`[${service}](${page})`, pricesOf(service).map(inWords).join('; ')]),
  );
};

export const howToCheck =
  () => `None was read at Amazon itself: they are from a [condensed copy](${priceList.copy}) of its price files for ${priceList.region},
of ${priceList.date} (its folder \`processed/\`). Those without a * were still the same in Amazon's files of ${priceList.seenAgain.date} or later, as others have noted;
those with one may have changed. **Look them up before relying on them**, with any account's credentials:

\`\`\`sh
for service in ${priceList.serviceCodes.join(' ')}; do
  aws pricing get-products --region us-east-1 --service-code $service --output json \\
    --filters Type=TERM_MATCH,Field=regionCode,Value=${priceList.region} |
    jq -r '.PriceList[] | fromjson | .terms.OnDemand[]?.priceDimensions[] | [.pricePerUnit.USD, .unit, .description] | @tsv'
done
\`\`\`

Dashboards have no region there (leave the filter out); data to the internet is \`AWSDataTransfer\`, with \`fromRegionCode\` in the filter.`;
