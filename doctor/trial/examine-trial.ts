import { requireConfirmation } from '../../admin/cli/terminal/ask.ts';
import { Failure } from '../../admin/text/failure.ts';
import { describeAccount } from '../aws.ts';
import { checkFacts, type Facts, type Result } from '../fact.ts';
import { quickFacts } from '../facts/quick-facts.ts';
import { Caller } from '../http/caller.ts';
import { countStates, formatResult, startResults } from '../results.ts';
import { addressFacts, deploymentFacts, updateFacts } from './deployment-facts.ts';
import { exposureFacts } from './exposure-facts.ts';
import { gatewayFacts, writeFacts } from './request-facts.ts';
import type { Trial } from './trial.ts';
import { addTrialClients, largestPlans, MAX_SLOTS } from './trial-clients.ts';

type Print = (line: string) => unknown;
type Context = { print: Print; say: Print; interrupted: AbortSignal };

const LONGEST_CHECK_MS = 1_800_000;

/** Deploys a trial, checks all facts, destroys the trial, and writes the results. */
export const examineTrial = async (
  trial: Trial,
  { yes, slots, resultsFolder = 'results' }: { yes: boolean; slots: boolean; resultsFolder?: string },
  { print, say, interrupted }: Context,
): Promise<Result[]> => {
  const account = await describeAccount();
  await trial.requireNew();
  const time = slots ? `25 minutes and the time of ${MAX_SLOTS} slots` : '25 minutes';
  // The 0.35 dollars are for all requests, and for one hour of what AWS bills by the month (docs/costs.md).
  const question = `Deploy the stack ${trial.name} in the ${account}? It is destroyed at the end. All of it takes about ${time}, and costs about 0.35 dollars.`;
  if (yes) say(question);
  await requireConfirmation(question, yes);
  // If no results can be written, the trial fails here, before it deploys anything.
  const writeResults = startResults(resultsFolder, trial.name, account);
  const results: Result[] = [];
  try {
    const record = (result: Result) => {
      results.push(result);
      print(formatResult(result));
    };
    await checkTrial(trial, interrupted, record);
    if (slots) record(await measureSlots(trial));
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    try {
      await destroy(trial, say);
    } finally {
      say(`${countStates(results)} The results are in ${writeResults(results)}.`);
    }
  }
  return results;
};

const checkTrial = async (trial: Trial, interrupted: AbortSignal, record: (result: Result) => void) => {
  await trial.deploy();
  await addTrialClients(await trial.output('ClientsTableName'), trial.passwords);
  const client = 'doctor';
  const baseUrl = await trial.output('BaseUrl');
  const login = { baseUrl, client, userName: client, password: trial.passwords[client] };
  const examination = { login, timeLimitMs: LONGEST_CHECK_MS, interrupted };
  const check = async (facts: Facts) => {
    for await (const result of checkFacts(facts, examination)) record(result);
    interrupted.throwIfAborted();
  };
  await trial.poll(
    // A new API is not reachable everywhere immediately.
    () => new Caller(login, interrupted).getOrders().catch(() => undefined),
    (response) => response?.status === 200,
  );
  await check(writeFacts);
  await check(gatewayFacts);
  // The facts about metrics come before the quick facts, whose refused batches a metric would count, too.
  await check(deploymentFacts(trial));
  await check(exposureFacts(trial));
  await check(quickFacts);
  await check(updateFacts(trial));
  await trial.deploy({ allowedCidrs: ['192.0.2.0/24'] });
  await check(addressFacts(trial));
};

/** This result is no fact, because no time is expected. */
const measureSlots = async (trial: Trial): Promise<Result> => {
  const startedAt = performance.now();
  await trial.deploy({ plans: largestPlans });
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
  return { state: 'ok', name: `${MAX_SLOTS} slots`, text: 'time to deploy', seen: `${minutes} min` };
};

const destroy = async (trial: Trial, say: Print) => {
  say(`Destroying ${trial.name}; please wait.`);
  if (!(await trial.destroy())) {
    throw new Failure(
      `The stack still exists. To destroy it: \`aws cloudformation delete-stack --stack-name ${trial.name}\`.`,
    );
  }
  say(
    "Left in the account: the account's role for API Gateway's logs, which other APIs may use, and the bundles in the CDK's bucket.",
  );
};
