import { format } from 'node:util';

/** The runtime reports an error to the platform in this form. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

export const errorOf = (error: unknown): FunctionError => {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: linesOf(error) ?? [] };
};

export const logError = (error: unknown) =>
  write('ERROR', [error instanceof Error ? error : new Error(String(error))]);

/** In the JSON log format, the runtime wraps each console call of a function in a line. */
export const patchConsole = () => {
  const levels = { trace: 'TRACE', debug: 'DEBUG', info: 'INFO', log: 'INFO', warn: 'WARN', error: 'ERROR' };
  const writers = Object.entries(levels).map(([method, level]) => [
    method,
    (...values: unknown[]) => write(level, values),
  ]);
  Object.assign(console, Object.fromEntries(writers));
};

let currentRequestId = '-';

export const setLoggedRequestId = (requestId: string) => {
  currentRequestId = requestId;
};

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'];
const lowestLevel = LEVELS.indexOf(process.env['AWS_LAMBDA_LOG_LEVEL'] ?? 'TRACE');

const write = (level: string, values: unknown[]) => {
  if (LEVELS.indexOf(level) < lowestLevel) return;
  const line = { timestamp: new Date().toISOString(), level, requestId: currentRequestId };
  process.stdout.write(`${values.length > 1 ? formatted(line, values) : single(line, values[0])}\n`);
};

const single = (line: object, message: unknown) => {
  try {
    return JSON.stringify({ ...line, message }, (_, value) =>
      value instanceof Error ? describe(value) : value,
    );
  } catch {
    return JSON.stringify({ ...line, message: format(message) });
  }
};

const formatted = (line: object, values: unknown[]) => {
  const error = values.slice(1).find((value) => value instanceof Error);
  return JSON.stringify({ ...line, message: format(...values), ...(error ? fieldsOf(error) : {}) });
};

const linesOf = ({ stack }: Error) => stack?.split('\n');

const fieldsOf = (error: Error) => ({
  errorType: error.constructor.name,
  errorMessage: error.message,
  stackTrace: linesOf(error),
});

const describe = (error: Error) => ({ ...fieldsOf(error), ...error });
