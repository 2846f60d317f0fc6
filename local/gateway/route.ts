import type { Api, Method } from './api.ts';

/**
 * An exact path has priority over the greedy path, and the request's verb over ANY. If an exact path has no method for
 * the verb, the greedy path applies (measured on the platform, ministackorg/ministack#1423). A slash at the end makes
 * no difference (recorded on the platform by LocalStack).
 */
export const route = ({ methods }: Api, verb: string, path: string): Method | undefined => {
  const bare = path.replace(/\/+$/, '') || '/';
  const find = (wantedPath: string, wantedVerb: string) =>
    methods.find(({ resourcePath, HttpMethod }) => resourcePath === wantedPath && HttpMethod === wantedVerb);
  const paths = path === '/' ? ['/'] : [bare, '/{proxy+}'];
  const verbs = VERBS.has(verb) ? [verb, 'ANY'] : [verb];
  return paths.flatMap((wantedPath) => verbs.map((wantedVerb) => find(wantedPath, wantedVerb))).find(Boolean);
};

const VERBS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
