import { expect, it } from 'vitest';
import { together } from '../../../shared/store/together.ts';

const endless = () => new Promise<never>(() => {});

it('What is done together is answered in its order', async () => {
  const { signal } = new AbortController();
  await expect(together(signal, () => [Promise.resolve(1), Promise.resolve(2)])).resolves.toEqual([1, 2]);
});

it('Where one of it fails, the others are called off', async () => {
  const signals: AbortSignal[] = [];
  const failing = together(new AbortController().signal, (signal) => {
    signals.push(signal);
    return [endless(), Promise.reject(new Error('failed'))];
  });
  await expect(failing).rejects.toThrow('failed');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('Where the whole is called off, so is all of it', () => {
  const signals: AbortSignal[] = [];
  const whole = new AbortController();
  void together(whole.signal, (signal) => {
    signals.push(signal);
    return [endless()];
  });
  whole.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
