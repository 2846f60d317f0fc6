import { authorizer } from './authorizer/authorizer.ts';
import { coldStart } from './cold-start/cold-start.ts';
import { tried } from './experiments/experiments.ts';
import { firstRequest } from './first-request/first-request.ts';
import { lists } from './lists/lists.ts';
import type { Section } from './section.ts';
import { steps } from './steps/steps.ts';
import { throughput } from './throughput/throughput.ts';
import { units } from './units/units.ts';
import { warm } from './warm/warm.ts';

/** In the order of the page. */
export const sections: readonly Section[] = [
  coldStart,
  firstRequest,
  warm,
  steps,
  units,
  lists,
  authorizer,
  throughput,
  tried,
];
