/* The errors of AWS's runtime client. It reports an error's `name`, and it logs the name of its class. */

class RuntimeError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = `Runtime.${name}`;
  }
}

export class HandlerNotFoundError extends RuntimeError {
  constructor(message: string) {
    super('HandlerNotFound', message);
  }
}

export class ImportModuleError extends RuntimeError {
  constructor(cause: unknown) {
    super('ImportModuleError', String(cause));
  }
}

export class UserCodeSyntaxError extends RuntimeError {
  constructor(cause: SyntaxError) {
    super('UserCodeSyntaxError', String(cause));
    this.stack = cause.stack ?? '';
  }
}

export class JSONStringifyError extends RuntimeError {
  constructor() {
    super('JSONStringifyError', 'Unable to stringify response body');
  }
}
