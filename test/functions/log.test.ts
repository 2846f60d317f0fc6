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

describe('a line that counts', () => {
  const about = { client: 'wms', operation: 'GET /' };

  it('is counted by CloudWatch under the fields of the line', () => {
    log.info('x', about, { Snapshots: 1, Entries: 7 });
    const [line] = logged.entries();
    expect(line).toMatchObject({
      client: 'wms',
      ...metricFields([['client']], { Snapshots: 1, Entries: 7 }),
    });
    expect(new Date(line._aws.Timestamp).toISOString()).toBe(line.timestamp);
  });

  it.each([
    ['as a whole, and by client where one is known', { client: 'wms' }, [[], ['client']]],
    ['as a whole where none is known', {}, [[]]],
  ])('of wrong credentials is counted %s', (_, fields, by) => {
    log.warn('x', fields, { WrongCredentials: 1 });
    expect(logged.entries()).toMatchObject([metricFields(by, { WrongCredentials: 1 })]);
  });

  it('has no metric by a field that it lacks', () => {
    log.info('x', { operation: 'GET /' }, { Entries: 7 });
    expect(Object.keys(logged.entries()[0])).toEqual(['timestamp', 'level', 'code', 'operation']);
  });
});
