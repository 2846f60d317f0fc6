import { requireConfirmation } from '../../admin/cli/terminal/ask.ts';
import { Failure } from '../../admin/text/failure.ts';
import { describeAccount } from '../aws.ts';
import { askFacts, type Facts, type Result } from '../fact.ts';
import { quickFacts } from '../facts/quick-facts.ts';
import { Client } from '../http/client.ts';
import { countStates, formatResult, startReport } from '../report.ts';
import { addressFacts, deploymentFacts, updateFacts } from './deployment-facts.ts';
import { exposureFacts } from './exposure-facts.ts';
import { gatewayFacts, writeFacts } from './request-facts.ts';
import type { Stage } from './stage.ts';
import { addClients, allSlots, MAX_SLOTS } from './stage-clients.ts';

type Print = (line: string) => unknown;
type Context = { print: Print; say: Print; interrupted: AbortSignal };

const LONGEST_CHECK_MS = 1_800_000;

/** Deploys a stage, asks all facts, writes a report, and destroys the stage. Returns what was seen. */
export const examineStage = async (
  stage: Stage,
  { yes, slots, reports = 'reports' }: { yes: boolean; slots: boolean; reports?: string },
  { print, say, interrupted }: Context,
): Promise<Result[]> => {
  const where = await describeAccount();
  await stage.requireNew();
  // The price is for its requests, and an hour of what costs by the month (docs/costs.md).
  const time = slots ? `20 minutes and the time of ${MAX_SLOTS} slots` : '20 minutes';
  const question = `Deploy the stack ${stage.name} in the ${where}? It is destroyed at the end. All of it takes about ${time}, and costs about 0.35 dollars.`;
  if (yes) say(question);
  await requireConfirmation(question, yes);
  // Fails before anything is deployed if no report can be written.
  const writeReport = startReport(reports, stage.name, where);
  const results: Result[] = [];
  try {
    const record = (result: Result) => {
      results.push(result);
      print(formatResult(result));
    };
    await askStage(stage, interrupted, record);
    if (slots) record(await measureSlots(stage));
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    try {
      await destroy(stage, say);
    } finally {
      say(`${countStates(results)} The report is ${writeReport(results)}.`);
    }
  }
  return results;
};

const askStage = async (stage: Stage, interrupted: AbortSignal, record: (result: Result) => void) => {
  await stage.deploy();
  await addClients(await stage.output('ClientsTableName'), stage.passwords);
  const client = 'doctor';
  const baseUrl = await stage.output('BaseUrl');
  const service = { baseUrl, client, username: client, password: stage.passwords[client] };
  const examination = { service, timeLimitMs: LONGEST_CHECK_MS, interrupted };
  const ask = async (facts: Facts) => {
    for await (const result of askFacts(facts, examination)) record(result);
    interrupted.throwIfAborted();
  };
  await stage.poll(
    // A new API is not reachable everywhere immediately.
    () => new Client(service, interrupted).getOrders().catch(() => undefined),
    (response) => response?.status === 200,
  );
  await ask(writeFacts);
  await ask(gatewayFacts);
  // Before the quick facts, whose refused batches count in a metric, too.
  await ask(deploymentFacts(stage));
  await ask(exposureFacts(stage));
  await ask(quickFacts);
  await ask(updateFacts(stage));
  await stage.deploy({ allowedCidrs: ['192.0.2.0/24'] });
  await ask(addressFacts(stage));
};

/** No fact, because nothing is expected of the time. */
const measureSlots = async (stage: Stage): Promise<Result> => {
  const startedAt = performance.now();
  await stage.deploy({ plans: allSlots });
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
  return { state: 'ok', name: `${MAX_SLOTS} slots`, text: 'time to deploy', seen: `${minutes} min` };
};

const destroy = async (stage: Stage, say: Print) => {
  say(`Destroying ${stage.name}; please wait.`);
  if (!(await stage.destroy())) {
    throw new Failure(
      `The stack still exists. To destroy it: \`aws cloudformation delete-stack --stack-name ${stage.name}\`.`,
    );
  }
  say(
    "Left in the account: its role for API Gateway's logs, which other APIs may use, and the bundles in the CDK's bucket.",
  );
};
