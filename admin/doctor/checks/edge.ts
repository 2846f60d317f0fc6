import { operations } from '../../../shared/operations.ts';
import type { Check } from '../check.ts';
import { answered, isProblem, THROTTLED } from '../expectations.ts';
import { note, ok, Wrong } from '../outcome.ts';
import type { ProbeClient, Told } from '../probe-client.ts';

const asStranger = (visit: ProbeClient) =>
  visit.send({ ...operations['get-material-codes'], authorization: null });

const MOST_SKEW_MS = 60_000;
/** The header tells whole seconds. */
const HALF_A_SECOND_MS = 500;

const NO_STAGE =
  'the base URL lacks its end, such as /live (take the output BaseUrl), or a firewall is in front';
const FIREWALL = 'too much came: wait, or raise firewall.requestsPerFiveMinutes';

/** So the platform answers where an address leads to no stage; whatever the stage refuses is a problem. */
const isNoStage = ({ status, json }: Told) =>
  status === 403 && JSON.stringify(json) === JSON.stringify({ message: 'Forbidden' });

export const reach: Check = {
  name: 'reach',
  signsIn: false,
  run: async (visit) => {
    const told = await asStranger(visit);
    if (told.status === 429) throw new Wrong(answered(told), THROTTLED);
    if (isNoStage(told)) throw new Wrong(answered(told), NO_STAGE);
    if (told.status === 403 && isProblem(told)) throw new Wrong(answered(told), FIREWALL);
    return ok(`answered ${told.status} over HTTP/${told.httpVersion} in ${told.milliseconds} ms`);
  },
};

export const clock: Check = {
  name: 'clock',
  signsIn: false,
  run: async (visit) => {
    const { now } = visit.service;
    const before = now();
    const { headers } = await asStranger(visit);
    const middle = (before + now()) / 2;
    const date = Date.parse(headers.date ?? '');
    if (Number.isNaN(date))
      return note('the answer has no Date to compare with', 'compare the clocks by hand');
    const skew = date + HALF_A_SECOND_MS - middle;
    const seconds = Math.round(Math.abs(skew) / 1_000);
    if (Math.abs(skew) <= MOST_SKEW_MS) return ok(`within ${seconds} s of this machine's`);
    throw new Wrong(
      `the server's is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} this machine's`,
      "set the one that is wrong by NTP: this machine's, or that of a proxy in between",
    );
  },
};
