import type { Api, Method } from './api.ts';

/**
 * An exact path has priority over a greedy path, and the request's verb over ANY. If an exact path has no method for
 * the verb, the greedy path applies (measured on the platform, ministackorg/ministack#1423). A slash at the end makes
 * no difference (recorded on the platform by LocalStack).
 */
export const route = (api: Api, httpMethod: string, path: string): Method | undefined => {
  const bare = path.replace(/\/+$/, '') || '/';
  const exact = api.methods.filter(({ resourcePath }) => resourcePath === bare);
  const greedy = api.methods.filter(({ resourcePath }) => isBelow(resourcePath, path));
  return methodFor(exact, httpMethod) ?? methodFor(greedy, httpMethod);
};

const isBelow = (resourcePath: string, path: string) => {
  const prefix = resourcePath.replace(/\{[^}]+\+\}$/, '');
  return prefix !== resourcePath && path.startsWith(prefix) && path.length > prefix.length;
};

const VERBS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

const methodFor = (candidates: Method[], verb: string) =>
  candidates.find(({ httpMethod }) => httpMethod === verb) ??
  (VERBS.has(verb) ? candidates.find(({ httpMethod }) => httpMethod === 'ANY') : undefined);
