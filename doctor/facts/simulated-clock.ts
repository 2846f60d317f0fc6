/** A story yields how many milliseconds it waits. */
export type Story<T = void> = Generator<number, T, undefined>;

/** A clock that jumps to the next story that waits, so a simulation of minutes takes milliseconds. */
export const createSimulatedClock = () => {
  const waiting: { until: number; story: Story }[] = [];
  let now = 0;

  const start = (story: Story, until: number) => {
    const index = waiting.findLastIndex((other) => other.until >= until);
    waiting.splice(index + 1, 0, { until, story });
  };

  return {
    now: () => now,
    start,
    /** Runs all stories to their ends. */
    run: () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        now = next.until;
        const { done, value } = next.story.next();
        if (!done) start(next.story, now + value);
      }
    },
    /** Returns a function that takes an amount, or refuses it. The bucket is full at first, and refills at this rate. */
    createBucket: (size: number, perSecond: number) => {
      let [level, filledAt] = [size, 0];
      return (amount: number) => {
        level = Math.min(size, level + ((now - filledAt) * perSecond) / 1_000);
        filledAt = now;
        if (level < amount) return false;
        level -= amount;
        return true;
      };
    },
  };
};

/** Returns a function that returns numbers from 0 to 1, always the same ones for a seed (mulberry32). */
export const createRandom = (seed = 1) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
