import { describe, test } from 'vitest';
import { newTimestamp } from '../support/batches.ts';
import { expectFault } from '../support/problem.ts';
import { useService } from './service.ts';

const service = useService();

describe('a Timestamp', () => {
  const report = (Timestamp: unknown) => service().post('changes', { Timestamp });

  test.each(['2024-02-29T23:59:59,999Z', '2000-02-29T00:00:00,000Z', '0001-01-01T00:00:00,001Z'])(
    'of %s is kept exactly as sent',
    async (Timestamp) => {
      await service().expectChange(await report(Timestamp), { Client: service().username, Timestamp });
    },
  );

  test.each([
    '2026-03-01T08:15:30.123Z',
    '2026-03-01T08:15:30Z',
    '2026-03-01T08:15:30,12Z',
    '2026-03-01T08:15:30,1234Z',
    '2026-03-01T08:15:30,123',
    '2026-03-01T08:15:30,123+00:00',
    '2026-03-01 08:15:30,123Z',
    '2026-03-01t08:15:30,123z',
    '20260301T081530,123Z',
    ' 2026-03-01T08:15:30,123Z',
    '2026-03-01T08:15:30,123Z\n',
    '+002026-03-01T08:15:30,123Z',
    '२०२६-03-01T08:15:30,123Z',
    '',
  ])('of another form is refused: %j', async (Timestamp) => {
    expectFault(await report(Timestamp), '#/Timestamp', 'YYYY-MM-DDThh:mm:ss,mmmZ');
  });

  test.each([
    '2026-02-30T08:15:30,123Z',
    '2026-02-29T08:15:30,123Z',
    '1900-02-29T08:15:30,123Z',
    '2026-13-01T08:15:30,123Z',
    '2026-00-01T08:15:30,123Z',
    '2026-03-00T08:15:30,123Z',
    '2026-03-01T24:00:00,000Z',
    '2026-03-01T08:60:30,123Z',
    '2026-03-01T08:15:60,123Z',
  ])('that names no real instant is refused: %s', async (Timestamp) => {
    expectFault(await report(Timestamp), '#/Timestamp', 'no real instant');
  });

  test.each([null, 1_767_225_600, {}, [], true])('that is no string is refused: %j', async (Timestamp) => {
    expectFault(await report(Timestamp), '#/Timestamp', 'has to be a string');
  });

  test('that is missing is refused', async () => {
    expectFault(await service().post('changes', {}), '#/Timestamp', 'The field Timestamp is missing');
  });
});

describe('a field that is not known is refused', () => {
  test('in a change', async () => {
    const answer = await service().post('changes', { Timestamp: newTimestamp(), Source: 'wms' });
    expectFault(answer, '#/Source', 'what is taken is Timestamp');
  });
});

describe('of a key that is repeated', () => {
  test('the last counts in a change', async () => {
    const Timestamp = newTimestamp();
    const answer = await service().post('changes', `{"Timestamp":1,"Timestamp":"${Timestamp}"}`);
    await service().expectChange(answer, { Client: service().username, Timestamp });
  });
});
