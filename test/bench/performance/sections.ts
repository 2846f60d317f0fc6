import type { Section } from './section.ts';

/** In the order of the page. */
export const sections: readonly Section[] = [];
