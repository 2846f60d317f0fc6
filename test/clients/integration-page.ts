import { describe, expect, test } from 'vitest';
import { toSettings } from '../../infra/settings/settings.ts';
import * as limits from '../../shared/schemas/limits.ts';
import { documentedResponses } from '../docs/openapi/document.ts';
import type { Answer } from '../support/http-client.ts';
import type { Ended } from './execute.ts';
import { fenceIn, fences, page } from './page.ts';
import { languages } from './snippets.ts';

type Observed = {
  /** Runs a command line of the page. */
  runLine: (line: string) => Promise<Ended>;
  /** What the program with curl prints when the service refuses its batch. */
  refusal: () => string;
  /** Sends a batch with the right credentials. */
  postBatch: (body: string) => Promise<Answer>;
  codes: string[];
};

/** Tests that the page for integrators agrees with the service, and that all its programs are run. */
export const describePage = ({ runLine, refusal, postBatch, codes }: Observed) =>
  describe('the integration page', () => {
    test('has no program that is not run, except the one in 1C', () => {
      const written = fences
        .map(({ language }) => language)
        .filter((name) => name !== 'sh' && name !== 'json');
      expect(written.toSorted()).toEqual([...languages.keys(), 'bsl'].toSorted());
    });

    test.each(fences.filter(({ language }) => language === 'sh'))(
      'has a line that works: $code',
      async ({ code }) => {
        const { exitCode, stdout } = await runLine(code);
        expect(exitCode).toBe(0);
        expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
        for (const listed of codes) expect(stdout).toContain(listed);
      },
    );

    test('shows the refusal that the programs get', () => {
      const [, answer = ''] = /HTTP 400: (.*)/.exec(refusal()) ?? [];
      const { requestId, ...shown } = JSON.parse(fenceIn('json'));
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(answer)).toEqual({ ...shown, requestId: expect.any(String) });
    });

    test('says what to do about every status of the OpenAPI document, and about redirects', () => {
      const listed = [...sectionOf('Sending again').matchAll(/^\| ([^|]*)/gm)]
        .map(([, first]) => first)
        .join();
      const statuses = [...documentedResponses.map(({ status }) => String(status)), '3xx'];
      expect(statuses).toContain('413');
      expect(statuses.filter((status) => !listed.includes(status))).toEqual([]);
    });

    test.each([
      ['40,000 entries', JSON.stringify({ MaterialCodes: Array(limits.MAX_BATCH_ENTRIES + 1).fill(0) })],
      ['too many bytes', ' '.repeat(6_400_000)],
      ['HTTP content length exceeded 10485760 bytes.', ' '.repeat(10 * 1024 * 1024 + 1)],
    ])('tells a 413 by its text: %s', async (text, body) => {
      const { status, text: answered } = await postBatch(body);
      expect(status).toBe(413);
      expect(answered).toContain(text);
      expect(sectionOf('Which 413 is which')).toContain(text);
    });

    test('has the limits of the service', () => {
      const { throttle, clientLimits } = toSettings({});
      const withSeparators = (count: number) => count.toLocaleString('en-US');
      expect(page).toContain(`1 to ${withSeparators(limits.MAX_BATCH_ENTRIES)} entries`);
      expect(page).toContain(`1 to ${limits.MAX_MATERIAL_CODE_LENGTH} letters`);
      expect(page).toContain(`1 to ${limits.MAX_UNIT_LENGTH} characters`);
      expect(page).toContain(`1 to ${limits.MAX_PURCHASE_ORDERS_PER_ENTRY} strings`);
      expect(page).toContain(`±${withSeparators(limits.MAX_BALANCE)}`);
      expect(page).toContain(`the first ${limits.MAX_LISTED_FAULTS} of them`);
      expect(page).toContain(
        `${withSeparators(throttle.burst)} at once, then ${withSeparators(throttle.ratePerSecond)} a second to one operation`,
      );
      expect(page).toContain(
        `your requests        | ${clientLimits.burst} at once, then ${clientLimits.rate} a second`,
      );
      const { batches } = clientLimits;
      expect(page).toContain(
        `your batches         | ${batches.burst} at once, then ${batches.rate} a second`,
      );
    });
  });

const sectionOf = (title: string) => page.split(/^#+ /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
