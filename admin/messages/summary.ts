import type { Concern, SummaryWords } from './concern.ts';
import { sentences } from './en.ts';

/** A method accepts functions of more exact data. */
type Writer = { write(concern: Concern, words: SummaryWords): string }['write'];
const writers: Partial<Record<string, Writer>> = sentences;

/** One sentence about a concern, in English, without a period. */
export const summaryOf = (concern: Concern, words: SummaryWords) =>
  writers[concern.kind]?.(concern, words) ?? '';
