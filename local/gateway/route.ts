import type { Api, Method } from './api.ts';

/**
 * Finds the method for a path. An exact path wins over a greedy one, and the request's verb over ANY. A slash at the end
 * makes no difference, as LocalStack recorded on the platform.
 */
export const route = (api: Api, httpMethod: string, path: string): Method | undefined => {
  const bare = path.replace(/\/+$/, '') || '/';
  const exact = api.methods.filter(({ resourcePath }) => resourcePath === bare);
  const greedy = api.methods.filter(({ resourcePath }) => isBelow(resourcePath, path));
  const candidates = exact.length > 0 ? exact : greedy;
  return candidates.find((method) => method.httpMethod === httpMethod) ?? anyOf(candidates, httpMethod);
};

const isBelow = (resourcePath: string, path: string) => {
  const prefix = resourcePath.replace(/\{[^}]+\+\}$/, '');
  return prefix !== resourcePath && path.startsWith(prefix) && path.length > prefix.length;
};

const VERBS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

const anyOf = (candidates: Method[], httpMethod: string) =>
  VERBS.has(httpMethod) ? candidates.find((method) => method.httpMethod === 'ANY') : undefined;
