import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { atMemory } from '../../bench/performance/authorizer/authorizer.ts';
import { documentOf } from '../../bench/performance/document.ts';
import { againstOne } from '../../bench/performance/lists/segments.ts';
import { readMeasured } from '../../bench/performance/measured.ts';
import { sections } from '../../bench/performance/sections.ts';
import { busiest, percentile } from '../../bench/performance/throughput/document.ts';
import { msIn, takenBetween } from '../../bench/performance/throughput/processor-time.ts';

const measured = readMeasured();
const page = documentOf(measured);

describe('docs/performance.md', () => {
  test('says what was measured, and nothing else', () => {
    const written = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
    expect(written, 'npm run bench -- --document writes it anew').toBe(page);
  });

  test('has every section of the benchmark, of which none is forgotten', () => {
    const folders = readdirSync(new URL('../../bench/performance/', import.meta.url), { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name);
    expect(sections.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
    expect(page.match(/^## /gm)).toHaveLength(sections.length);
  });

  test('leaves nothing open for want of a figure', () => {
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });
});

const spread = (median: number) => ({ min: median, median, max: median });

describe('what docs/performance.md computes of what was measured', () => {
  test('a percentile is the least time that so many requests keep', () => {
    const times = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(times, 0.5), percentile(times, 0.99), percentile([7], 0.99)]).toEqual([50, 99, 7]);
  });

  test('the process that bounds is the one that takes the most of the processors', () => {
    const processor = [
      { role: 'gateway', msARequest: 1 },
      { role: 'engine', msARequest: 3 },
    ];
    const load = { name: '', connections: 1, requests: 1, medianMs: 1, p99Ms: 1, busy: 1 };
    expect(busiest({ ...load, perSecond: 200, processor })).toEqual({
      role: 'engine',
      share: 0.75,
      cores: 0.6,
    });
    expect(busiest({ ...load, perSecond: 200, processor: [] })).toBeUndefined();
  });

  test('the time of a process is read from what Linux tells, whatever the name of its program', () => {
    const ofProgram = (name: string) =>
      `42 (${name}) S 1 42 42 0 -1 4194560 900 0 0 0 31 12 5 5 20 0 11 0 77 0`;
    expect([msIn(ofProgram('node')), msIn(ofProgram('a) b (c'))]).toEqual([430, 430]);
  });

  test('a process that was started meanwhile counts from nothing, and an idle one not at all', () => {
    const before = new Map([
      ['gateway', 100],
      ['engine', 50],
    ]);
    const after = new Map([...before, ['gateway', 130], ['function', 40]]);
    expect(takenBetween(before, after)).toEqual([
      { role: 'function', ms: 40 },
      { role: 'gateway', ms: 30 },
    ]);
  });

  test('segments are held against a single one of the same list', () => {
    const readings = [
      { rows: 10, segments: 1, wallMs: spread(8), calls: 1, readUnits: 1 },
      { rows: 10, segments: 4, wallMs: spread(6), calls: 4, readUnits: 4 },
    ];
    expect(againstOne(readings, 10, 4)).toEqual({ saved: 0.25, ms: -2, units: 3 });
  });

  test('less memory is a smaller share of a processor, and more is no second one', () => {
    expect([atMemory(10, 1_769 / 2), atMemory(10, 1_769), atMemory(10, 3_538)]).toEqual([20, 10, 10]);
  });
});
