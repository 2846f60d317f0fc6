import type { Api, Method } from './api.ts';

/**
 * An exact path has priority over the greedy path, and the request's verb over ANY. If an exact path has no method for
 * the verb, the greedy path applies (measured on the platform, ministackorg/ministack#1423). A slash at the end makes
 * no difference (recorded on the platform by LocalStack).
 */
export const route = ({ methods }: Api, verb: string, path: string): Method | undefined => {
  const bare = path.replace(/\/+$/, '') || '/';
  const greedy = path === '/' ? [] : methods.filter(({ resourcePath }) => resourcePath === '/{proxy+}');
  return (
    methodFor(
      methods.filter(({ resourcePath }) => resourcePath === bare),
      verb,
    ) ?? methodFor(greedy, verb)
  );
};

const VERBS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

const methodFor = (candidates: Method[], verb: string) =>
  candidates.find(({ HttpMethod }) => HttpMethod === verb) ??
  (VERBS.has(verb) ? candidates.find(({ HttpMethod }) => HttpMethod === 'ANY') : undefined);
