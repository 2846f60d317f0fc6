import { Validations } from 'aws-cdk-lib';
import { describe, expect, it, vi } from 'vitest';
import { addValidations, main } from '../../infra/app.ts';
import { checkContextKeys } from '../../infra/settings/check-context-keys.ts';
import { readAssembly } from '../../local/synthesis/assembly.ts';
import { assembly, synthesisResult } from '../support/assembly.ts';
import { NO_VALIDATION } from '../support/run-app.ts';
import { functionNames } from './deployment.ts';
import { sampleSettings } from './sample-settings.ts';
import { appOf, findingsIn, propsOf, stackIn } from './template.ts';

describe('the app', () => {
  it.each([
    ['wrong settings', { plans: 5, stage: 'live' }, [/^ {2}plans: /, /^ {2}stage: /]],
    ['credentials for another account', { account: '123456789012' }, [/^ {2}account: .+ 123456789012/]],
  ])('stops at %s, and prints every issue', async (_, settings, issues) => {
    const printed: string[] = [];
    const credentials = { CDK_DEFAULT_ACCOUNT: '210987654321' };
    expect(await main(propsOf(settings), credentials, (text) => printed.push(text))).toBe(1);
    expect(printed.join('').trimEnd().split('\n')).toEqual([
      'The settings under "warehouse-control" in cdk.json are wrong:',
      ...issues.map((issue) => expect.stringMatching(issue)),
    ]);
  });

  const printedWith = async (context: Record<string, unknown>) => {
    const printed: string[] = [];
    const props = propsOf({});
    const code = await main({ ...props, context: { ...props.context, ...context } }, NO_VALIDATION, (text) =>
      printed.push(text),
    );
    return { code, lines: printed.join('').trimEnd().split('\n').slice(1) };
  };

  it.each([
    ...[
      'warehouse-controll',
      'warehouse-contorl',
      'warehouse_control',
      'WarehouseControl',
      'warehose-control',
    ].map((key) => [key, 'warehouse-control']),
    ...['stages', 'Stage', 'satge', 'stge', '-stage'].map((key) => [key, 'stage']),
  ])(
    'stops at the key %s of the context, which is near %s, instead of deploying defaults',
    async (key, meant) => {
      const detail = `This key of the context is unknown. Did you mean ${meant}? Correct or remove it.`;
      expect(await printedWith({ [key]: 'live' })).toEqual({ code: 1, lines: [`  ${key}: ${detail}`] });
    },
  );

  it('accepts other keys of the context, which may be those of a colleague or of the CDK', () => {
    const context = { image: 'x', storage: 'x', 'availability-zones:account=1': [], '': '' };
    expect(() => checkContextKeys(context)).not.toThrow();
  });

  it('synthesizes default settings for any account and region, and warns about firewall and mail', async () => {
    const path = await assembly();
    const { exitCode, stdout, stderr } = await synthesisResult();
    expect([exitCode, stdout]).toEqual([0, '']);
    const expected = [
      ...functionNames.map(() => /^Bundling asset /),
      ...[/^WARNING Even without credentials, one /, /\/Api /, /^ +Acknowledge with /],
      ...[/^WARNING Nobody gets the alarms\. /, /\/Monitoring /, /^ +Acknowledge with /],
      /report/,
    ];
    expect(stderr.split('\n').filter(Boolean)).toEqual(expected.map((line) => expect.stringMatching(line)));
    expect(findingsIn(path)).toMatchObject([
      { conclusion: 'success', violations: [{ severity: 'warning' }, { severity: 'warning' }] },
    ]);
    expect(readAssembly(path).stackName).toBe('WarehouseControl');
    expect(stackIn(path)).toMatchObject({
      environment: 'aws://unknown-account/unknown-region',
      properties: { terminationProtection: true },
    });
  });
});

it.each([
  ['default', 'APIG3'],
  ['everything', 'IAM5'],
] as const)(
  'the synthesis of %s settings stops at a finding of cdk-nag, and acknowledges only these',
  async (name, other) => {
    const acknowledge = vi.spyOn(Validations.prototype, 'acknowledge').mockReturnValue();
    const { app, outdir } = appOf(sampleSettings[name]);
    acknowledge.mockRestore();
    await addValidations(app, NO_VALIDATION);
    expect(() => app.synth()).toThrow(expect.objectContaining({ name: 'ValidationFailed' }));
    const found: { ruleName: string }[] = findingsIn(outdir)[0].violations;
    expect([...new Set(found.map(({ ruleName }) => ruleName.replace(/\[.*/, '')))].toSorted()).toEqual(
      ['APIG2', 'APIG6', 'COG4', 'IAM4', other].map((rule) => `AwsSolutions-${rule}`).toSorted(),
    );
  },
);
