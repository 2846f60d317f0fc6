import { describe, expect, test } from 'vitest';
import { toSettings } from '../../infra/settings/settings.ts';
import * as limits from '../../shared/schemas/limits.ts';
import { documentedResponses } from '../docs/openapi/document.ts';
import type { Ended } from './execute.ts';
import { fenceIn, fences, links, page, resolves, sectionOf } from './page.ts';
import { languages } from './snippets.ts';

type Observed = {
  /** Runs a command line of the page. */
  type: (line: string) => Promise<Ended>;
  /** What curl, which says it as it came, was told when its batch was refused. */
  refusal: () => string;
  codes: string[];
};

/** Of all operations, as told to tools. */
const STATUSES = [...new Set(documentedResponses.map(({ status }) => String(status)))];

/** That the page for integrators says what is so, and no program of it goes unrun. */
export const describePage = ({ type, refusal, codes }: Observed) =>
  describe('the page', () => {
    test('has no program that is not run, but for the one in 1C', () => {
      const written = fences
        .map(({ language }) => language)
        .filter((each) => each !== 'sh' && each !== 'json');
      expect(written.toSorted()).toEqual([...Object.keys(languages), 'bsl'].toSorted());
    });

    test('says beside the program in 1C that it is not run', () => {
      const [words = '', code] = sectionOf('1C').split('```bsl');
      expect(words).toContain('**This one is not run by the tests**');
      expect(code).toContain('HTTPСоединение');
    });

    test.each(fences.filter(({ language }) => language === 'sh'))(
      'lets a reader try: $code',
      async ({ code }) => {
        const { exitCode, stdout } = await type(code);
        expect(exitCode).toBe(0);
        expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
        for (const each of codes) expect(stdout).toContain(each);
      },
    );

    test('shows the refusal that the programs get', () => {
      const [, answer = ''] = /HTTP 400: (.*)/.exec(refusal()) ?? [];
      const { requestId, ...shown } = JSON.parse(fenceIn('json'));
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.parse(answer)).toEqual({ ...shown, requestId: expect.any(String) });
    });

    test.each(links)('leads somewhere: %s', (link) => {
      expect(resolves(link)).toBe(true);
    });

    test('tells what to do about every status that the document has, and about redirects', () => {
      const told = [...sectionOf('Sending again').matchAll(/^\| ([^|]*)/gm)].map(([, first]) => first);
      const unknown = [...STATUSES, '3xx'].filter((status) => !told.some((first) => first?.includes(status)));
      expect(STATUSES).toContain('413');
      expect(unknown).toEqual([]);
    });

    test('has the limits of the service', () => {
      const { ratePerSecond, burst } = toSettings({}).throttle;
      const inWords = (count: number) => count.toLocaleString('en-US');
      expect(page).toContain(`1 to ${inWords(limits.MAX_BATCH_ENTRIES)} entries`);
      expect(page).toContain(`1 to ${limits.MAX_MATERIAL_CODE_LENGTH} letters`);
      expect(page).toContain(`1 to ${limits.MAX_UNIT_LENGTH} characters`);
      expect(page).toContain(`1 to ${limits.MAX_PURCHASE_ORDERS_PER_ENTRY} strings`);
      expect(page).toContain(`±${inWords(limits.MAX_BALANCE)}`);
      expect(page).toContain(`the first ${limits.MAX_LISTED_FAULTS} of them`);
      expect(page).toContain(`${ratePerSecond} a second to one operation and ${burst} at once`);
    });
  });
