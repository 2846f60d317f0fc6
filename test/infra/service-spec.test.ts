import { describe, expect, it } from 'vitest';
import { sampleSettings } from './sample-settings.ts';
import { findFaults } from './service-spec.ts';
import { templateOf } from './template.ts';

describe("a template, checked by AWS's schemas", () => {
  it.each(Object.entries(sampleSettings))('of the settings "%s" has no fault', (_, settings) => {
    const { Resources, ...others } = templateOf(settings).toJSON();
    expect(Object.keys(Resources).length).toBeGreaterThan(50);
    expect(findFaults({ Resources, ...others })).toEqual([]);
  });

  const stage = { Type: 'AWS::ApiGateway::Stage', RestApiId: { Ref: 'Api' } };
  const logGroup = { Type: 'AWS::Logs::LogGroup' };

  it.each([
    [{ ...stage, Type: 'AWS::ApiGateway::Stages' }, 'New: AWS::ApiGateway::Stages is no resource type'],
    [{ ...stage, StageNames: 'live' }, 'New.StageNames is no property'],
    [{ ...stage, constructor: 'live' }, 'New.constructor is no property'],
    [{ Type: stage.Type }, 'New.RestApiId is missing'],
    [{ ...stage, StageName: 1 }, 'New.StageName is no string'],
    [{ ...stage, StageName: { 'Fn::If': ['is', 'live', 1] } }, 'New.StageName is no string'],
    [{ ...stage, TracingEnabled: 'true' }, 'New.TracingEnabled is no boolean'],
    [{ ...stage, Variables: [] }, 'New.Variables is no object'],
    [{ ...stage, Variables: { one: 1 } }, 'New.Variables.one is no string'],
    [{ ...stage, Tags: {} }, 'New.Tags is no list'],
    [{ ...stage, Tags: [{ Key: 'service' }] }, 'New.Tags.0 is no tag'],
    [{ ...stage, MethodSettings: ['all'] }, 'New.MethodSettings.0 is no object'],
    [{ ...stage, MethodSettings: [{ Burst: 1 }] }, 'New.MethodSettings.0.Burst is no property'],
    [{ ...logGroup, RetentionInDays: 1.5 }, 'New.RetentionInDays is no integer'],
    [{ ...logGroup, LogGroupClass: 'CHEAP' }, 'New.LogGroupClass is CHEAP, none of STANDARD, '],
    [{ ...logGroup, DataProtectionPolicy: [] }, 'New.DataProtectionPolicy is no json'],
    [{ ...stage, StageName: { Ref: 'Nothing' } }, 'Nothing is referenced and does not exist'],
    [{ ...stage, StageName: { 'Fn::Sub': `v-\${Nothing}` } }, 'Nothing is referenced and does not exist'],
    [{ ...stage, StageName: { 'Fn::GetAtt': ['Api', 'Arn'] } }, 'Api has no attribute Arn'],
    [{ ...stage, StageName: { 'Fn::Sub': `\${Api.Arn}` } }, 'Api has no attribute Arn'],
  ])('with the resource %j has the fault: %s', ({ Type, ...Properties }, fault) => {
    const Resources = { Api: { Type: 'AWS::ApiGateway::RestApi' }, New: { Type, Properties } };
    expect(findFaults({ Resources })).toEqual([expect.stringContaining(fault)]);
  });

  it('with a dependency on a missing resource has that fault', () => {
    const Resources = { New: { ...logGroup, DependsOn: ['Nothing'] } };
    expect(findFaults({ Resources })).toEqual(['Nothing is referenced and does not exist']);
  });
});
