import { describe, expect, it } from 'vitest';
import { log } from '../../functions/log.ts';
import { collectLog, metricFields } from '../support/handlers.ts';

const logged = collectLog();

describe('a line of the log', () => {
  it.each(['info', 'warn', 'error'] as const)('is one JSON object of the level %s', (level) => {
    log[level]('something-happened', { status: 200 });
    expect(logged.text()).toMatch(/^\{.*\}\n$/);
    expect(logged.entries()).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: level.toUpperCase(),
        code: 'something-happened',
        status: 200,
      },
    ]);
  });
});

describe('a line with counts', () => {
  const about = { client: 'wms', operation: 'GET /' };

  it('has metrics whose dimensions are fields of the line', () => {
    log.info('x', about, { Snapshots: 1 });
    const [line] = logged.entries();
    expect(line).toMatchObject({
      client: 'wms',
      ...metricFields([['client']], { Snapshots: 1 }),
    });
    expect(new Date(line._aws.Timestamp).toISOString()).toBe(line.timestamp);
  });
});
