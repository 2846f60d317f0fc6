import { describe, expect, it } from 'vitest';
import { describeError, log } from '../../shared/log.ts';
import { collectLog } from '../support/logged.ts';
import { measured } from '../support/measured.ts';

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

  it('needs nothing but its code', () => {
    log.info('something-happened');
    expect(Object.keys(logged.entries()[0])).toEqual(['timestamp', 'level', 'code']);
  });
});

describe('a line that counts', () => {
  it('is counted by CloudWatch under the fields of the line', () => {
    log.info(
      'x',
      { client: 'wms', operation: 'GET /' },
      { by: ['client', 'operation'], counts: { Entries: 7 } },
    );
    const [line] = logged.entries();
    expect(line).toMatchObject({ client: 'wms', ...measured(['client', 'operation'], { Entries: 7 }) });
    expect(new Date(line._aws.Timestamp).toISOString()).toBe(line.timestamp);
  });

  it('is not counted where the line lacks such a field', () => {
    log.info('x', { operation: 'GET /' }, { by: ['client'], counts: { Entries: 7 } });
    expect(Object.keys(logged.entries()[0])).toEqual(['timestamp', 'level', 'code', 'operation']);
  });
});

describe('an error', () => {
  it('is told with its name, its message and where it came from', () => {
    const error = new RangeError('too far');
    expect(describeError(error)).toEqual({ name: 'RangeError', message: 'too far', stack: error.stack });
  });

  it('is told without the stack that it does not have', () => {
    const error = new RangeError('too far');
    delete error.stack;
    expect(describeError(error)).toEqual({ name: 'RangeError', message: 'too far' });
  });

  it('of a parser is told without its words, which quote what it was given', () => {
    expect(describeError(new SyntaxError('Unexpected token in {"password": …'))).toEqual({
      name: 'SyntaxError',
      message: 'A text could not be parsed.',
    });
  });

  it.each([
    ['a string', 'a secret', 'string'],
    ['nothing', undefined, 'undefined'],
    ['an object', { body: 'a secret' }, 'object'],
  ])('that is none is told by its kind alone: %s', (_, thrown, kind) => {
    expect(describeError(thrown)).toEqual({ name: 'NotAnError', message: kind });
  });
});
