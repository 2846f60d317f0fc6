import { describe, expect, test } from 'vitest';
import { matches } from '../../local/policy.ts';
import { DIFF_CALLS, diffCommand, isAllowedByDiff, readRoles, stackArn, type Trust } from './ci-roles.ts';

const roles = readRoles();

const CLAIMS = 'token.actions.githubusercontent.com:';
const OPERATORS: Record<string, (expected: string, value: string) => boolean> = {
  StringEquals: (expected, value) => expected === value,
  StringLike: (expected, value) => matches(expected, value),
};

/** As IAM does, it allows only a token that has every claim of the condition. */
const trustsToken = ({ Statement }: Trust, token: Record<string, string>) =>
  Statement.some(({ Condition }) =>
    Object.entries(Condition).every(([operator, claims]) =>
      Object.entries(claims).every(([key, expected]) => {
        const value = token[key.replace(CLAIMS, '')];
        return [expected].flat().some((text) => value !== undefined && OPERATORS[operator]?.(text, value));
      }),
    ),
  );

const tokenOf = (repository: string, environment: string, more = {}) => ({
  aud: 'sts.amazonaws.com',
  sub: `repo:${repository}:environment:${environment}`,
  repository_id: '456789',
  environment,
  ...more,
});
const NEW = 'owner@123456/name@456789';

describe.each(['production', 'production-diff'])('the role of the environment %s', (environment) => {
  const isTrusted = (token: Record<string, string>) => {
    const trust = roles.trusts[`warehouse-${environment}`];
    return trust ? trustsToken(trust, token) : undefined;
  };

  test.each([
    ['that is older than the ids in sub', 'owner/name'],
    ['that has ids in sub', NEW],
    ['that was renamed', 'owner@123456/other@456789'],
  ])('can be used by a job of this environment in a repository %s', (_, repository) => {
    expect(isTrusted(tokenOf(repository, environment))).toBe(true);
  });

  test.each([
    ['another environment', tokenOf(NEW, 'test')],
    ['an environment that only sub names', tokenOf(NEW, environment, { environment: 'test' })],
    ['no environment', { ...tokenOf(NEW, environment), sub: `repo:${NEW}:ref:refs/heads/main` }],
    [
      'another repository that took its name',
      tokenOf('owner/name', environment, { repository_id: '456780' }),
    ],
    ['another owner', tokenOf('stranger@123/name@456789', environment)],
    ['another audience', tokenOf(NEW, environment, { aud: 'https://github.com/owner' })],
  ])('cannot be used by a job of %s', (_, token) => {
    expect(isTrusted(token)).toBe(false);
  });
});

test('the role of the diff may read its stack, but assume no role of the CDK, read no table and deploy nothing', () => {
  const lookupRole = 'arn:aws:iam::123456789012:role/cdk-hnb659fds-lookup-role-123456789012-eu-central-1';
  const allowed = DIFF_CALLS.map((name) => [`cloudformation:${name}`, stackArn('WarehouseControl')] as const);
  const calls = [
    ...allowed,
    ['sts:AssumeRole', lookupRole],
    ['sts:AssumeRole', lookupRole.replace('lookup', 'deploy')],
    ['dynamodb:Scan', 'arn:aws:dynamodb:eu-central-1:123456789012:table/Warehouse-Clients'],
    ['cloudformation:CreateChangeSet', stackArn('WarehouseControl')],
    ['cloudformation:GetTemplate', stackArn('Other')],
  ] as const;
  expect(diffCommand).toBe('diff --method template');
  expect(calls.filter(([action, resource]) => isAllowedByDiff(roles, action, resource))).toEqual(allowed);
});
