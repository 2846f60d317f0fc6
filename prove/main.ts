import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { requireConfirmation } from '../admin/cli/ask.ts';
import { explain, FAILED, Failure, WrongUsage } from '../admin/cli/failure.ts';
import { watchInterruption } from '../admin/cli/interruption.ts';
import { print, runToExitCode, say } from '../admin/cli/terminal.ts';
import { ProbeClient } from '../admin/doctor/probe/probe-client.ts';
import { createRedactor } from '../admin/doctor/probe/redact.ts';
import { WrittenRecords } from '../admin/doctor/probe/written-records.ts';
import { addressFacts, deploymentFacts, updateFacts, waitUntilServed } from './deployment-facts.ts';
import { askAll, differs, type Fact, NEEDS_DEPLOYMENT, notAsked, type Row } from './fact.ts';
import { basicCredentials, batchFacts, gatewayFacts } from './gateway-facts.ts';
import { summarize, writeReport } from './report.ts';
import { findAccount, Stage } from './stage.ts';
import { askDoctor, askInterface } from './suites.ts';

const HELP = `
Without --base-url, it deploys a stack of its own with the credentials of the environment (AWS_PROFILE, AWS_REGION), and
destroys it at the end, also after Ctrl-C. With --base-url, nothing is deployed. It then signs in with CLIENT and
PASSWORD, or without them as the first client in --data.
Exit codes: 0 everything agrees, 1 something differs or failed, 2 usage error, 130 Ctrl-C.
`;

const PARTS = ['batches', 'facts', 'doctor', 'interface'];
const MAX_PROOF_MS = 3_600_000;

const createProgram = () =>
  new Command('npm run prove --')
    .description('Tests on a deployment what the project assumes about AWS, and writes a report.')
    .showHelpAfterError('(--help shows more)')
    .exitOverride()
    .addHelpText('after', HELP)
    .option('--yes', 'deploy without asking', false)
    .option('--base-url <url>', 'test this service and deploy nothing')
    .option('--data <folder>', 'the data folder of the local run', '.local')
    .option('--parts <names>', 'run only these parts, separated by commas', PARTS.join())
    .option(
      '--patience <seconds>',
      'the time that a setting or a metric may need to take effect',
      Number,
      300,
    )
    .option('--out <folder>', 'the folder of the report', 'proof');
type Options = ReturnType<ReturnType<typeof createProgram>['opts']>;

type Service = { baseUrl: string; username: string; password: string };

/** The rows of the report so far, and what the tests need. */
class Proof {
  readonly rows: Row[] = [];
  readonly interrupted: AbortSignal;
  private readonly parts: readonly string[];

  constructor({ parts }: Options, interrupted: AbortSignal) {
    this.parts = parts.split(',');
    this.interrupted = interrupted;
    const unknown = this.parts.find((part) => !PARTS.includes(part));
    if (unknown !== undefined) throw new WrongUsage(`${unknown} is none of ${PARTS.join(', ')}.`);
  }

  async add(part: string, rows: () => AsyncIterable<Row> | Promise<Iterable<Row>>) {
    if (!this.parts.includes(part) || this.interrupted.aborted) return;
    for await (const row of await rows()) {
      this.rows.push(row);
      await print(`${row.name}: ${row.seen || row.expected} (${row.verdict})\n`);
    }
  }

  async addGatewayFacts(client: ProbeClient) {
    await this.add('batches', () => askAll(batchFacts, client, this.interrupted));
    await this.addFacts(gatewayFacts, client);
  }

  async addFacts<TSubject>(facts: readonly Fact<TSubject>[], subject: TSubject) {
    await this.add('facts', () => askAll(facts, subject, this.interrupted));
  }

  async addSuites(service: Service) {
    await this.add('doctor', () => askDoctor(sessionOf(service), this.interrupted));
    await this.add('interface', () => askInterface(service, this.interrupted));
  }

  clientOf(service: Service) {
    const signal = AbortSignal.any([this.interrupted, AbortSignal.timeout(MAX_PROOF_MS)]);
    return new ProbeClient(sessionOf(service), signal);
  }
}

const sessionOf = ({ baseUrl, username, password }: Service) => ({
  baseUrl,
  username,
  authorization: basicCredentials(username, password),
  quote: createRedactor(username, password),
  written: new WrittenRecords(),
  now: Date.now,
});

const proveDeployment = async (proof: Proof, { yes, out, patience: seconds }: Options) => {
  const { account, region } = await findAccount();
  const name = `WarehouseProof-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;
  const stage = new Stage(name, { seconds, interrupted: proof.interrupted });
  const question = `Deploy the stack ${name} in the account ${account}, ${region}? It is destroyed at the end. The proof needs about 20 minutes and costs about 0.35 dollars.`;
  if (yes) say(question);
  await requireConfirmation(question, yes);
  const failure: unknown = await askStage(proof, stage).then(
    () => undefined,
    (error) => error,
  );
  const { isDestroyed, left } = await destroy(stage);
  const what = `The stack ${name} in the account ${account}.`;
  const file = writeReport(out, { place: region, what, rows: proof.rows, left });
  if (failure && !proof.interrupted.aborted) throw failure;
  if (!isDestroyed)
    throw new Failure(
      `The stack still exists. To destroy it: \`aws cloudformation delete-stack --stack-name ${name}\`.`,
    );
  return file;
};

const askStage = async (proof: Proof, stage: Stage) => {
  await stage.deploy();
  const service = { baseUrl: await stage.baseUrl(), ...(await stage.credentialsOf('doctor')) };
  const subject = { stage, client: proof.clientOf(service) };
  await waitUntilServed(subject);
  await proof.addGatewayFacts(subject.client);
  await proof.addFacts(deploymentFacts, subject);
  await proof.addSuites(service);
  await stage.addClientAndThrottle({});
  await proof.addFacts(updateFacts, subject);
  await stage.addClientAndThrottle({ allowedCidrs: ['192.0.2.0/24'] });
  await proof.addFacts(addressFacts, subject);
};

const destroy = async (stage: Stage) => {
  say(`Destroying ${stage.name}; please wait.`);
  const result = await stage.destroy().catch((error: unknown) => ({
    isDestroyed: false,
    left: [`the stack ${stage.name}: ${explain(error)}`],
  }));
  for (const line of result.left) say(`Left: ${line}`);
  return result;
};

const proveService = async (proof: Proof, baseUrl: string, { data, out }: Options) => {
  const service = { baseUrl, ...readCredentials(data, baseUrl) };
  await proof.addGatewayFacts(proof.clientOf(service));
  const others = [...deploymentFacts, ...updateFacts, ...addressFacts];
  await proof.add('facts', async () => others.map((fact) => notAsked(fact, NEEDS_DEPLOYMENT)));
  await proof.addSuites(service);
  const left = ['the records written under the client, which no command removes'];
  return writeReport(out, { place: new URL(baseUrl).hostname, what: baseUrl, rows: proof.rows, left });
};

const Outputs = v.object({ BaseUrl: v.string(), Clients: v.record(v.string(), v.string()) });

const readCredentials = (data: string, baseUrl: string) => {
  const { CLIENT: username, PASSWORD: password } = process.env;
  if (username && password) return { username, password };
  const file = join(data, 'outputs.json');
  const { BaseUrl, Clients } = v.parse(Outputs, JSON.parse(readFileSync(file, 'utf8')));
  const [first] = Object.entries(Clients);
  if (BaseUrl === baseUrl && first) return { username: first[0], password: first[1] };
  throw new WrongUsage(`${file} is about ${BaseUrl}: set CLIENT, the user name, and PASSWORD.`);
};

export const runProve = (line: readonly string[]) =>
  runToExitCode(async () => {
    const options = createProgram().parse(line, { from: 'user' }).opts();
    const interruption = watchInterruption({ survivesSecond: true });
    try {
      const proof = new Proof(options, interruption.signal);
      const { baseUrl } = options;
      const file = baseUrl
        ? await proveService(proof, baseUrl, options)
        : await proveDeployment(proof, options);
      say(`${summarize(proof.rows)} The report is ${file}.`);
      return interruption.exitCode() ?? (proof.rows.some(differs) ? FAILED : 0);
    } finally {
      interruption.stopWatching();
    }
  });

if (import.meta.main) process.exitCode = await runProve(process.argv.slice(2));
