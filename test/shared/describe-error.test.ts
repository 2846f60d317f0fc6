import { describe, expect, it } from 'vitest';
import { describeError } from '../../shared/describe-error.ts';

describe('describeError', () => {
  it('returns the name, message and stack of an error', () => {
    const error = new RangeError('too far');
    expect(describeError(error)).toEqual({ name: 'RangeError', message: 'too far', stack: error.stack });
  });

  it('leaves out a missing stack', () => {
    const error = new RangeError('too far');
    delete error.stack;
    expect(describeError(error)).toEqual({ name: 'RangeError', message: 'too far' });
  });

  it('leaves out the message of a SyntaxError, which quotes the text', () => {
    expect(describeError(new SyntaxError('Unexpected token in {"password": …'))).toEqual({
      name: 'SyntaxError',
      message: 'A text could not be parsed.',
    });
  });

  it.each([
    ['a string', 'a secret', 'string'],
    ['nothing', undefined, 'undefined'],
    ['an object', { body: 'a secret' }, 'object'],
  ])('returns only the type of a thrown value that is no error: %s', (_, thrown, kind) => {
    expect(describeError(thrown)).toEqual({ name: 'NotAnError', message: kind });
  });
});
