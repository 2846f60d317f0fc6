import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyMatch } from '../../support/assembly.ts';
import { projectFolder } from '../../support/run-app.ts';
import { type Deployment, sample } from '../deployment.ts';
import { alarmsIn, sectionOf } from './alarm-state.ts';
import { fieldsOf } from './log-query.ts';

const deployment = sample('everything');
const withoutDashboard = sample('default');

describe('the dashboard', () => {
  type Graph = { title: string; alarms?: string[]; metrics?: unknown[]; annotations?: unknown };
  const { ref, properties } = deployment.only<{ DashboardBody: string }>('AWS::CloudWatch::Dashboard');
  const { widgets }: { widgets: { properties: Graph }[] } = JSON.parse(properties.DashboardBody);
  const titled = (title: string) =>
    onlyMatch(widgets, (widget) => widget.properties.title === title).properties;

  it('exists only with the setting, and has an output with its address', () => {
    expect(withoutDashboard.resources('AWS::CloudWatch::Dashboard')).toEqual([]);
    expect(deployment.outputs['DashboardUrl']).toBe(
      `https://console.aws.amazon.com/cloudwatch/home?region=eu-central-1#dashboards/dashboard/${ref}`,
    );
  });

  it('shows the state of every alarm, and a graph with the name of each section of the runbook', () => {
    const alarms = alarmsIn(deployment);
    expect(titled('Alarms').alarms?.toSorted()).toEqual(alarms.map(({ arn }) => arn).toSorted());
    const titles = ['Alarms', ...alarms.map(({ properties }) => sectionOf(properties))];
    expect(new Set(widgets.map((widget) => widget.properties.title))).toEqual(new Set(titles));
  });

  it('shows what the alarms watch over their own periods, with the values at which they start', () => {
    expect(titled('wrong-credentials')).toMatchObject({
      metrics: [
        [{ expression: 'FILL(counted, 0)', label: 'WrongCredentials', period: 900 }],
        ['Warehouse', 'WrongCredentials', { period: 900, stat: 'Sum', visible: false }],
        ['Warehouse', 'WrongCredentials', { period: 3_600, stat: 'Sum' }],
      ],
      annotations: { horizontal: [{ value: 1 }, { value: 7 }] },
    });
    expect(JSON.parse(properties.DashboardBody)).toMatchObject({ periodOverride: 'inherit' });
  });
});

type Stage = { AccessLogSetting: { DestinationArn: string; Format: string } };
const accessLog = deployment.only<Stage>('AWS::ApiGateway::Stage').properties.AccessLogSetting;

// test/golden/service/logs.txt has each query, and each metric that is counted from the access log.
describe('the saved queries', () => {
  type SavedQuery = { Name: string; LogGroupNames: string[]; QueryString: string };
  const queriesOf = ({ resources }: Deployment) =>
    resources<SavedQuery>('AWS::Logs::QueryDefinition').map(({ properties }) => properties);
  const namesOf = (own: Deployment) => queriesOf(own).map(({ Name }) => Name);

  it('do not need the dashboard, and are in a folder with the name of the stack', () => {
    expect(namesOf(withoutDashboard)).toContain('WarehouseControl/Wrong credentials');
    expect(namesOf(deployment)).toEqual(
      namesOf(withoutDashboard).map((name) => name.replace('WarehouseControl/', 'Warehouse/')),
    );
  });

  it('read only logs of the stack and fields of the access log, and sort by what they count', () => {
    const groups = deployment.resources('AWS::Logs::LogGroup').map(({ ref }) => ref);
    const logged = Object.keys(JSON.parse(accessLog.Format));
    for (const { LogGroupNames, QueryString } of queriesOf(deployment)) {
      expect(groups).toEqual(expect.arrayContaining(LogGroupNames));
      const [, sorted] = /\| sort (\w+) desc$/m.exec(QueryString) ?? [];
      expect(QueryString).toContain(` as ${sorted}`);
      if (!LogGroupNames.some((name) => accessLog.DestinationArn.endsWith(name))) continue;
      expect(logged).toEqual(expect.arrayContaining(fieldsOf(QueryString)));
    }
  });

  it('find each refusal of a client and each previous password by a code that the functions log', () => {
    const texts = queriesOf(deployment).map(({ QueryString }) => QueryString);
    const codes = texts.flatMap((text) => text.match(/"[a-z]+(-[a-z]+)+"/g) ?? []);
    const refusals = ['client-locked', 'client-removed', 'credentials-refused'];
    const expected = [...refusals, 'previous-password-used', 'request-served'];
    expect(codes.toSorted()).toEqual(expected.map((code) => `"${code}"`));
    const sources = globSync('functions/**/*.ts', { cwd: projectFolder })
      .map((file) => readFileSync(join(projectFolder, file), 'utf8'))
      .join();
    expect(expected.filter((code) => !sources.includes(`('${code}'`))).toEqual([]);
  });
});

it('requests of clients are counted only with the setting that needs them, because a metric costs money', () => {
  type Filter = { MetricTransformations: { MetricName: string }[] };
  const filters = sample('default').resources<Filter>('AWS::Logs::MetricFilter');
  const counted = filters.flatMap(({ properties }) => properties.MetricTransformations);
  expect(counted.map(({ MetricName }) => MetricName)).not.toContain('ClientRequests');
});
