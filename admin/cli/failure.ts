/** It could not be done, and the message says why and what to do: exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** It was not asked for in a way that can be understood: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
