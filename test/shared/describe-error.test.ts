import { describe, expect, it } from 'vitest';
import { describeError } from '../../shared/describe-error.ts';

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
