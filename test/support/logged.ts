import { afterEach, beforeEach, vi } from 'vitest';

/** Collects what a file's tests write to the log, one object a line. */
export const collectLog = () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());
  return { text: () => lines.join(''), entries: () => lines.map((line) => JSON.parse(line)) };
};
