import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that programs can read. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const results = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => results.filter((each) => each === state).length;
    // A file that could not be loaded has no tests, and is a failure all the same.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    process.stdout.write(`${count('passed')} passed, ${count('failed') + broken} failed\n`);
  }
}
