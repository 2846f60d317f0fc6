import type { Api, Method } from './api.ts';

/**
 * An exact path has priority over the path `/{proxy+}`, and the request's verb has priority over ANY. If an exact path has
 * no method for the verb, `/{proxy+}` applies (measured on the platform, ministackorg/ministack#1423). A slash at the end
 * makes no difference (recorded on AWS by LocalStack).
 */
export const route = ({ methods }: Api, verb: string, path: string): Method | undefined => {
  const trimmed = path.replace(/\/+$/, '') || '/';
  const find = (wantedPath: string, wantedVerb: string) =>
    methods.find(({ resourcePath, HttpMethod }) => resourcePath === wantedPath && HttpMethod === wantedVerb);
  const verbs = VERBS.has(verb) ? [verb, 'ANY'] : [verb];
  return [trimmed, '/{proxy+}']
    .flatMap((wantedPath) => verbs.map((wantedVerb) => find(wantedPath, wantedVerb)))
    .find(Boolean);
};

const VERBS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
