import type * as z from 'zod';

type Issue = z.core.$ZodIssue;
type Status = 400 | 413 | 415 | 500;

const titles: Record<Status, string> = {
  400: 'Bad Request',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
};

/** The app's error handler turns this into a response. */
export class Refusal extends Error {
  readonly status: Status;
  readonly issues: readonly Issue[];

  constructor(status: Status, detail: string, issues: readonly Issue[] = []) {
    super(detail);
    this.status = status;
    this.issues = issues;
  }
}

export const notJson = () => new Refusal(415, 'Send the body as JSON.');

export const refusedBody = ({ issues }: { issues: readonly Issue[] }) =>
  issues.some(isBatchTooLong)
    ? new Refusal(413, 'A batch has at most 40,000 entries.')
    : new Refusal(400, 'The body was refused; nothing was stored.', issues);

const isBatchTooLong = ({ code, path }: Issue) => code === 'too_big' && path.join() === 'MaterialCodes';

export const problemOf = (error: unknown, requestId: string) => {
  const { status, message, issues } = error instanceof Refusal ? error : unexpected(error);
  const errors = issues.flatMap((issue) => faultsOf(issue, []));
  return {
    type: 'about:blank',
    title: titles[status],
    status,
    detail: message,
    requestId,
    ...(errors.length > 0 ? { errorCount: errors.length, errors: errors.slice(0, 100) } : {}),
  };
};

/** The body parsers of the frameworks throw errors with a status. */
const unexpected = (error: unknown) => {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 400) return new Refusal(400, 'The body is not JSON.');
  if (status === 413) return new Refusal(413, 'The body is too large.');
  process.stderr.write(`${JSON.stringify({ level: 'ERROR', error: String(error) })}\n`);
  return new Refusal(500, 'The service failed.');
};

type Path = readonly PropertyKey[];
type Fault = { detail: string; pointer: string };

/** zod reports all unknown fields of an object as one issue. For a union, it lists the issues of each alternative. */
const faultsOf = (issue: Issue, parent: Path): Fault[] => {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ detail: 'Unknown field', pointer: pointerTo([...path, key]) }));
  const alternative = issue.code === 'invalid_union' ? issue.errors.find(isAboutItems) : undefined;
  if (alternative) return alternative.flatMap((nested) => faultsOf(nested, path));
  return [{ detail: issue.message, pointer: pointerTo(path) }];
};

const isAboutItems = (issues: Issue[]) => issues.some(({ path }) => path.length > 0);

const pointerTo = (path: Path) =>
  `#${path.map((key) => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
