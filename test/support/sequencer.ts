import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/** Runs the tests whose path matches the first of these first, and those that match none last. */
export const runInOrder = (...paths: RegExp[]): TestSequencerConstructor => {
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = paths.findIndex((path) => path.test(moduleId));
    return place === -1 ? paths.length : place;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      const sorted = await super.sort(files);
      return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
    }
  };
};
