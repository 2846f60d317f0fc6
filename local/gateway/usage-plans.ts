import type { LocalStack } from '../stack.ts';
import type { Limit, Throttle } from './throttle.ts';

export type UsagePlan = {
  keyId: string;
  throttle: Limit | undefined;
  /** By path and verb, as in /rest/warehouse-control/changes/POST. */
  methodThrottles: ReadonlyMap<string, Limit | undefined>;
  perDay: number | undefined;
};

/** Returns the usage plans of a stage, by the value of the API key. */
export const readUsagePlans = (stack: LocalStack, apiId: string, stage: string) => {
  const byRef = (type: string) =>
    new Map(stack.ofType(type).map(({ id, properties }) => [stack.ref(id), properties]));
  const plans = byRef('AWS::ApiGateway::UsagePlan');
  const keys = byRef('AWS::ApiGateway::ApiKey');
  return new Map(
    stack.ofType('AWS::ApiGateway::UsagePlanKey').flatMap(({ properties }): [string, UsagePlan][] => {
      const keyId = String(properties['KeyId']);
      const { Value, Enabled } = Object(keys.get(keyId));
      const { ApiStages = [], Throttle, Quota } = Object(plans.get(String(properties['UsagePlanId'])));
      const served = [ApiStages].flat().find(({ ApiId, Stage }) => ApiId === apiId && Stage === stage);
      if (!Enabled || !served) return [];
      const methods = Object.entries(Object(served.Throttle));
      const methodThrottles = new Map(methods.map(([method, settings]) => [method, toLimit(settings)]));
      const { Limit: perDay } = Object(Quota);
      return [[String(Value), { keyId, throttle: toLimit(Throttle), methodThrottles, perDay }]];
    }),
  );
};

const toLimit = (settings: unknown): Limit | undefined => {
  const { RateLimit: rate, BurstLimit: burst } = Object(settings);
  return rate === undefined ? undefined : { rate: Number(rate), burst: Number(burst) };
};

export class UsageMeter {
  private readonly throttle: Throttle;
  private readonly days = new Map<string, { day: string; count: number }>();

  constructor(throttle: Throttle) {
    this.throttle = throttle;
  }

  /**
   * Counts a request, and returns the error type if the request exceeds a limit. The limit of the method applies in
   * addition to the limit of the plan. It is unknown whether the platform does this, and whether it counts refused
   * requests.
   */
  countRequest({ keyId, throttle, methodThrottles, perDay }: UsagePlan, method: string, now: Date) {
    const methodLimit = methodThrottles.get(method);
    if (methodLimit && !this.throttle.tryConsume(`${keyId} ${method}`, methodLimit)) return 'THROTTLED';
    if (throttle && !this.throttle.tryConsume(keyId, throttle)) return 'THROTTLED';
    const day = now.toISOString().slice(0, 10);
    const last = this.days.get(keyId);
    const count = last?.day === day ? last.count : 0;
    if (perDay !== undefined && count >= perDay) return 'QUOTA_EXCEEDED';
    this.days.set(keyId, { day, count: count + 1 });
    return undefined;
  }
}
