import { describe, expect, test } from 'vitest';
import { toSettings } from '../../infra/settings/settings.ts';
import * as limits from '../../shared/schemas/limits.ts';
import { documentedResponses } from '../docs/openapi/document.ts';
import type { Answer } from '../support/http-client.ts';
import type { Ended } from './execute.ts';
import { fenceIn, languagePages, page } from './page.ts';
import { languages } from './snippets.ts';

type Observed = {
  /** Runs a command of the page. */
  runCommand: (command: string) => Promise<Ended>;
  /** What the program with curl prints when the service refuses its batch. */
  refusal: () => string;
  /** Sends a batch with the right credentials. */
  postBatch: (body: string) => Promise<Answer>;
};

/** Compares the page for integrators with the service and with the programs that the tests run. */
export const describePage = ({ runCommand, refusal, postBatch }: Observed) =>
  describe('the integration page', () => {
    test('has a language page for each program that the tests run, and for 1C', () => {
      const written = languagePages
        .flatMap(({ fences }) => fences.map(({ language }) => language))
        .filter((name) => name !== 'sh' && name !== 'text');
      expect(written.toSorted()).toEqual([...languages.keys(), 'bsl'].toSorted());
    });

    test('links every language page', () => {
      const missing = languagePages.filter(({ path }) => !page.text.includes(`](${path})`));
      expect(missing).toEqual([]);
    });

    test.each(commands)('has a command that works: $title', async ({ command, shown }) => {
      const { exitCode, stdout } = await runCommand(command);
      expect(exitCode).toBe(0);
      expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(JSON.parse(shown)));
    });

    test('shows the refusal that the programs get', () => {
      const [, answer = ''] = /HTTP 400: (.*)/.exec(refusal()) ?? [];
      const { requestId, ...shown } = JSON.parse(fenceIn(page, 'json'));
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(answer)).toEqual({ ...shown, requestId: expect.any(String) });
    });

    test('has every status of the OpenAPI document and redirects in its table of errors', () => {
      const listed = [...sectionOf('Errors').matchAll(/^\| ([^|]*)/gm)].map(([, first]) => first).join();
      const statuses = [...documentedResponses.map(({ status }) => String(status)), '3xx'];
      expect(statuses).toContain('413');
      expect(statuses.filter((status) => !listed.includes(status))).toEqual([]);
    });

    test.each([
      ['40,000 entries', JSON.stringify({ MaterialCodes: Array(limits.MAX_BATCH_ENTRIES + 1).fill(0) })],
      ['too many bytes', ' '.repeat(6_400_000)],
      ['HTTP content length exceeded 10485760 bytes.', ' '.repeat(10 * 1024 * 1024 + 1)],
    ])('has the text of a 413: %s', async (text, body) => {
      const { status, text: answered } = await postBatch(body);
      expect(status).toBe(413);
      expect(answered).toContain(text);
      expect(sectionOf('The four kinds of 413')).toContain(text);
    });

    test('has the limits of the service', () => {
      const { throttle, clientLimits } = toSettings({});
      const withSeparators = (count: number) => count.toLocaleString('en-US');
      expect(page.text).toContain(`1 to ${withSeparators(limits.MAX_BATCH_ENTRIES)} entries`);
      expect(page.text).toContain(`1 to ${limits.MAX_MATERIAL_CODE_LENGTH} characters`);
      expect(page.text).toContain(`1 to ${limits.MAX_UNIT_LENGTH} characters`);
      expect(page.text).toContain(`1 to ${limits.MAX_PURCHASE_ORDERS_PER_ENTRY} strings`);
      expect(page.text).toContain(
        `from ${limits.MIN_BALANCE_MAGNITUDE} to ${withSeparators(limits.MAX_BALANCE)};`,
      );
      expect(page.text).toContain(`the first ${limits.MAX_LISTED_FAULTS} faults`);
      expect(page.text).toContain(
        `for each operation | ${withSeparators(throttle.burst)} at once, then ${withSeparators(throttle.ratePerSecond)} a second`,
      );
      const { batches, burst, rate } = clientLimits;
      expect(page.text).toContain(`your requests | ${burst} at once, then ${rate} a second`);
      expect(page.text).toContain(`your batches | ${batches.burst} at once, then ${batches.rate} a second`);
    });
  });

/** The commands of the first block, each with its title above and its response below. */
const commands = fenceIn(page, 'sh')
  .split(/^# (?=[A-Z])/m)
  .slice(1)
  .map((part) => {
    const [, title = '', command = '', shown = ''] = /^(.+?)\n(.*)\n# (.+)/s.exec(part) ?? [];
    return { title, command, shown };
  });

const sectionOf = (title: string) =>
  page.text.split(/^#+ /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
